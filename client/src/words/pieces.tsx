// Small pieces of a page: case links, hex links, side marks, counters, links to copy.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { centreOn } from "../map/view";
import { focused, look } from "../selection/state";
import { face, faces } from "../table/faces";
import { caseShown, geometry, sheet, welcome } from "../table/state";
import type { Counter } from "../wire";
import { unitName } from "./text";

export function CaseLink({ number }: { number: string | undefined }) {
  if (!number) return null;
  return (
    <button
      type="button"
      class="case"
      title={`Case ${number}`}
      onClick={(event) => {
        event.stopPropagation();
        caseShown.value = number;
        if (welcome.value) sheet.value = "rules";
        else location.hash = number;
      }}
    >
      {number}
    </button>
  );
}

export function HexLink({ hex }: { hex: string }) {
  return (
    <button
      type="button"
      class="hexlink"
      onClick={(event) => {
        event.stopPropagation();
        focused.value = hex;
        centreOn(hex);
        void look(hex);
      }}
    >
      {hex}
    </button>
  );
}

/** Text in which every hex number of the map is a link. */
export function Linked({ text }: { text: string }) {
  const g = geometry.value;
  const parts: ComponentChildren[] = text.split(/(\b[A-Z]?\d{1,4}\b)/).map((part, i) => (g && part.length > 1 && g.has(part) ? <HexLink key={i} hex={part} /> : part));
  return <>{parts}</>;
}

/** Remarks, a paragraph each. */
export function Remarks({ texts, tone }: { texts: readonly string[]; tone?: string }) {
  return (
    <>
      {texts.map((text) => (
        <p key={text} class={tone}>
          <Linked text={text} />
        </p>
      ))}
    </>
  );
}

/** What stands above the columns of a table. */
export function Heads({ of, tone }: { of: readonly string[]; tone?: (word: string) => string }) {
  return (
    <tr>
      {of.map((word, i) => (
        <th key={i} scope="col" class={tone?.(word)}>
          {word}
        </th>
      ))}
    </tr>
  );
}

export function SideMark({ side }: { side: string }) {
  return <i class={`mark ${side}`} aria-hidden="true" />;
}

/** A counter as a small picture in a panel. */
export function Chip({ c, size = 44, quiet = false }: { c: Counter; size?: number; quiet?: boolean }) {
  const drawn = faces.value;
  const drawing = face(c);
  return (
    <svg
      data-drawn={drawn}
      class={`chip ${c.side}`}
      width={size}
      height={size}
      viewBox="-4 -4 108 108"
      role={quiet ? undefined : "img"}
      aria-hidden={quiet}
      aria-label={quiet ? undefined : [unitName(c), c.figures, c.hex, ...(c.states ?? [])].filter(Boolean).join(", ")}
    >
      {drawing ? <g dangerouslySetInnerHTML={{ __html: drawing }} /> : <rect class="blank" width="100" height="100" rx="12" />}
    </svg>
  );
}

/** A link to send, with a button that says when it is copied; without a clipboard it is marked for copying by hand. */
export function LinkField({ link, label }: { link: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const done = useSignal(false);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    done.value = true;
    setTimeout(() => (done.value = false), 2500);
  };
  return (
    <label class="link">
      <span class="sr">{label}</span>
      <input ref={field} readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
      <button type="button" class="btn" aria-live="polite" onClick={() => void copy()}>
        {done.value ? "Copied" : "Copy"}
      </button>
    </label>
  );
}

/** Give the reader a file to keep. */
export const download = (name: string, content: Blob): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
};

export function Brand() {
  return (
    <a class="brand" href="/" aria-label="Ladoga, front page">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 1 29 8.500v15L16 31 3 23.500V8.500z" fill="var(--teal)" />
        <path d="M7 14c3-2.500 6-2.500 9 0s6 2.500 9 0M7 20c3-2.500 6-2.500 9 0s6 2.500 9 0" fill="none" stroke="var(--paper)" stroke-width="2.400" stroke-linecap="round" />
      </svg>
      <span>Ladoga</span>
    </a>
  );
}

/** A button that asks once more before it does what cannot be taken back. */
export function Sure({ label, question, yes, act, quiet }: { label: ComponentChildren; question: string; yes: string; act: () => unknown; quiet?: string }) {
  const asked = useSignal(false);
  if (!asked.value)
    return (
      <button type="button" class={quiet ? "quiet drop" : "btn"} aria-label={quiet} title={quiet ? question : undefined} onClick={() => (asked.value = true)}>
        {label}
      </button>
    );
  return (
    <span class="sure" role="alertdialog" aria-label={question}>
      {question}
      <button
        type="button"
        class="btn commit"
        autofocus
        onClick={() => {
          asked.value = false;
          void act();
        }}
      >
        {yes}
      </button>
      <button type="button" class="btn" onClick={() => (asked.value = false)}>
        No
      </button>
    </span>
  );
}

/** A page that cannot be shown, and why. */
export function NotHere({ why }: { why: string }) {
  return (
    <div class="curtain" role="alert">
      <div class="card">
        <h1>Not here</h1>
        <p>{why}</p>
        <a class="btn teal" href="/">
          Front page
        </a>
      </div>
    </div>
  );
}
