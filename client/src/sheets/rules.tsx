// The rules, case by case.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { rules } from "../table/state";
import type { Rules } from "../wire";
import { CaseLink } from "../words/pieces";

const query = signal("");

export function RulesList({ book, open }: { book: Rules; open?: string | null }) {
  const target = useRef<HTMLElement>(null);
  useEffect(() => {
    query.value = "";
    setTimeout(() => target.current?.scrollIntoView({ block: "center" }), 50);
  }, [open]);
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = book.cases.filter((c) => {
    const text = `${c.case} ${c.title} ${c.text}`.toLowerCase();
    return words.every((w) => text.includes(w));
  });
  return (
    <div class="rules">
      <label class="search">
        <span class="sr">Search the rules</span>
        <input type="search" placeholder="Search: zone, river, 7.3 …" value={query.value} onInput={(e) => (query.value = e.currentTarget.value)} />
        <small class="mute">
          {found.length} of {book.cases.length} cases, in our own words
        </small>
      </label>
      {found.map((c) => {
        const head = /\.0$/.test(c.case) || !c.case.includes(".");
        return (
          <article key={c.case} ref={c.case === open ? target : undefined} class={`${head ? "head" : ""}${c.case === open ? " here" : ""}`} id={`case-${c.case}`}>
            <h3>
              <span class="number">{c.case}</span> {c.title}
            </h3>
            <p>
              <Cased text={c.text} />
            </p>
          </article>
        );
      })}
    </div>
  );
}

function Cased({ text }: { text: string }) {
  const known = new Set(rules.value?.cases.map((c) => c.case));
  return <>{text.split(/(\b\d{1,2}\.\d{1,2}\b)/).map((part, i) => (known.has(part) ? <CaseLink key={i} number={part} /> : part))}</>;
}
