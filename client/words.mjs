// Every English text in the client's sources, by file, as JSON: what stands between tags, what is said to screen readers,
// and every sentence or word for people in an expression. Run by tools/words.py.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";

const ROOT = join(import.meta.dirname, "src");
const SAID = new Set(["aria-label", "title", "placeholder", "label", "question", "yes", "alt"]);
const SILENT = new Set(["class", "className", "d", "viewBox", "transform", "style", "key", "id", "href", "type", "name", "points", "fill", "stroke", "data-testid"]);

/** A text with a hole for every value in it. */
const holed = (node) => node.quasis.map((q) => q.value.cooked).join("{}");

/** Whether a string in an expression is meant for people: a sentence, or a word that begins one. */
const human = (text) => /^[A-Z“][a-z’'é]+([ ,:.?!…”].*)?$/.test(text) || (/[a-z]{2}/.test(text) && /[a-zA-Z}”%)] [a-zA-Z{“(]/.test(text) && !/^[a-z-]+( [a-z-]+)*$|[<>=]{2}|^M[\d-]|^\.|\/api\/|;$|: \d|var\(|translate|scale\(|[#[][\w-]+[\]"]/.test(text));

function texts(file) {
  const found = new Set();
  const add = (text) => {
    const plain = text.replace(/\s+/g, " ").trim();
    if (/[A-Za-z]{2}/.test(plain.replace(/\{\}/g, ""))) found.add(plain);
  };
  /** Words between tags, with a hole for every expression among them. */
  const between = (children) => {
    let line = "";
    for (const child of children) {
      if (child.type === "JSXText") line += child.value;
      else if (child.type === "JSXExpressionContainer") line += child.expression.type === "Literal" ? child.expression.value : child.expression.type === "JSXEmptyExpression" ? "" : "{}";
      else {
        add(line);
        line = "";
      }
    }
    add(line);
  };
  const walk = (node, silent) => {
    if (Array.isArray(node)) for (const one of node) walk(one, silent);
    if (!node || typeof node.type !== "string" || node.type === "ImportDeclaration" || node.type.startsWith("TS")) {
      if (!node || !/^TS(As|NonNull|Satisfies)/.test(node.type ?? "")) return;
    }
    if (node.type === "JSXElement" || node.type === "JSXFragment") between(node.children);
    if (node.type === "JSXAttribute") {
      const name = node.name.name;
      if (node.value?.type === "Literal") {
        if (SAID.has(name)) add(node.value.value);
      } else walk(node.value, SILENT.has(name) || String(name).startsWith("data-"));
      return;
    }
    if (!silent && node.type === "Literal" && typeof node.value === "string" && human(node.value)) add(node.value);
    if (!silent && node.type === "TemplateLiteral" && human(holed(node))) add(holed(node));
    for (const [key, child] of Object.entries(node)) if (child && typeof child === "object" && key !== "typeAnnotation") walk(child, silent);
  };
  walk(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }).body, false);
  return [...found].sort();
}

const files = readdirSync(ROOT, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && name !== "wire.ts");
console.log(JSON.stringify(Object.fromEntries(files.sort().map((name) => [`client/src/${name}`, texts(join(ROOT, name))]))));
