// The command line of the table: every order and every question by typing.
import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { facts, look, weigh } from "../selection/state";
import { give, undo } from "../table/acting";
import { ask } from "../table/line";
import { announce, counters, geometry, live, log, shown, sideName, toast, welcome } from "../table/state";
import type { Choices, HexFacts, Trace } from "../wire";
import { verbOf } from "../words/orders";
import { verdict } from "../words/text";
import { focusOn, inWords } from "./keys";
import "./command.css";

const answer = signal("");

const past: string[] = [];

/** How far back among the earlier lines. */
let back = 0;

const HELP =
  "Type an order as the record writes it (the sheet under K lists them), or: hex 0403, stack 0403, units, orders, moves UNIT, supply UNIT, zoc 0403, odds ORDER, why ORDER, last, standing, undo, end.";

async function run(text: string): Promise<string> {
  const [word = "", ...rest] = text.trim().split(/\s+/);
  const g = geometry.value;
  const first = rest[0] ?? "";
  if (/^\S+$/.test(text) && g?.has(text)) {
    await focusOn(text);
    return inWords(text);
  }
  switch (word.toLowerCase()) {
    case "":
      return "";
    case "help":
      return HELP;
    case "hex":
    case "stack":
      if (!g?.has(first)) return `There is no hex ${first}`;
      await focusOn(first);
      return inWords(first);
    case "units": {
      const able = Object.keys(live.value?.offers.units ?? {});
      return able.length ? able.map((u) => `${u}${counters.value.get(u)?.hex ? ` in ${counters.value.get(u)!.hex}` : ""}`).join(", ") : "No unit can be ordered now";
    }
    case "orders":
      return [...(live.value?.offers.orders ?? []), ...Object.values(live.value?.offers.hexes ?? {}).flat()].join("; ") || "No orders but those of units";
    case "moves": {
      const reply = await ask<Choices>({ t: "of", units: rest.join("+").split("+") });
      return reply.ok ? reply.orders.map((o) => o.text).join("; ") || `${rest.join(" ")} can do nothing` : (reply.message ?? "");
    }
    case "supply": {
      const hex = counters.value.get(first)?.hex;
      if (!hex) return `${first || "that unit"} is not on the map`;
      const reply = await ask<{ facts: HexFacts }>({ t: "hex", hex });
      const trace: Trace | undefined = reply.ok ? reply.facts.supply[first] : undefined;
      if (!trace) return "unknown";
      return trace.supplied ? `${first} is in supply from ${trace.source}, by ${trace.path.join(" ")}` : `${first} is out of supply: ${trace.message} ${trace.case}`;
    }
    case "zoc":
      if (!g?.has(first)) return `There is no hex ${first}`;
      await look(first);
      return facts.value?.zones.length ? `${first}: ${facts.value.zones.map(sideName).join(" and ")} zone of control` : `${first}: no zone of control`;
    case "odds": {
      const e = await weigh(rest.join(" "));
      return e ? e.results.map((r) => `${r.value}: ${r.exact}`).join(", ") : "That is not an attack that can be weighed";
    }
    case "why": {
      const reply = await ask<{ legal: boolean; message: string; case: string }>({ t: "why", text: rest.join(" ") });
      return reply.ok ? (reply.legal ? "That is legal" : `${reply.message} [${reply.case}]`) : (reply.message ?? "");
    }
    case "last":
      return (
        log.value
          .slice(-5)
          .flatMap((e) => (e.lines.length ? e.lines.map((l) => l.text) : [e.text]))
          .join(". ") || "Nothing yet"
      );
    case "standing": {
      const o = shown.value?.standing;
      return o ? verdict(o) : "";
    }
    case "undo":
      await undo();
      return "";
    default:
      return (await give(text.trim())) ? `Done: ${text.trim()}` : "";
  }
}

/** Go to the command line, with the beginning of a command. */
export function type(begin: string): void {
  const input = document.querySelector<HTMLInputElement>(".command input");
  if (!input) return;
  input.value = begin;
  input.focus();
}

/** An order as this game writes it. */
function example(): string {
  const own = (live.value?.table.counters ?? []).find((c) => c.hex && c.side === live.value?.audience) ?? (live.value?.table.counters ?? []).find((c) => c.hex);
  return own ? `${verbOf("go")} ${own.id} ${own.hex} · hex ${own.hex} · help` : "An order, a hex number, or help";
}

export function CommandLine() {
  const input = useRef<HTMLInputElement>(null);
  const known = [
    ...Object.keys(welcome.value?.game.verbs ?? {}),
    ...(live.value?.offers.orders ?? []),
    ...Object.entries(live.value?.offers.units ?? {}).flatMap(([u, verbs]) => verbs.map((v) => `${v} ${u}`)),
  ];
  return (
    <form
      class="command card"
      onSubmit={(e) => {
        e.preventDefault();
        const text = input.current?.value ?? "";
        if (text) past.push(text);
        back = 0;
        void run(text).then((words) => {
          answer.value = words;
          if (words) announce(words);
          // What was refused stays, to be corrected.
          else if (input.current && !input.current.value && toast.value) {
            input.current.value = text;
            input.current.select();
          }
        });
        if (input.current) input.current.value = "";
      }}
    >
      <label>
        <span class="sr">Order or question</span>
        <input
          ref={input}
          list="known-orders"
          autocomplete="off"
          spellcheck={false}
          placeholder={example()}
          onKeyDown={(e) => {
            if (e.key === "Escape") {
              e.currentTarget.value = "";
              answer.value = "";
              document.querySelector<HTMLElement>(".map")?.focus();
              e.preventDefault();
            }
            if ((e.key === "ArrowUp" || e.key === "ArrowDown") && past.length) {
              back = Math.max(0, Math.min(past.length, back + (e.key === "ArrowUp" ? 1 : -1)));
              e.currentTarget.value = back ? past.at(-back)! : "";
              e.preventDefault();
            }
          }}
        />
      </label>
      <datalist id="known-orders">
        {known.slice(0, 300).map((k) => (
          <option key={k} value={k} />
        ))}
      </datalist>
      <output>{answer.value || "An order, a hex number, or “help”"}</output>
    </form>
  );
}
