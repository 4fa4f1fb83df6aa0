// Sheets laid over the table: rules, charts, order of battle, ledger, talk, dice, settings, keys.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { shortTitle } from "./bar";
import { get, post } from "./net";
import { checkRolls, type Proof } from "./proof";
import {
  ask,
  caseShown,
  change,
  counters,
  goTo,
  live,
  people,
  rules,
  settings,
  sheet,
  shown,
  sideName,
  talk,
  unread,
  weighed,
  welcome,
} from "./state";
import type { Box, Chart, Counter, LuckReport, Outcome, Rules, Throw } from "./types";
import { ago, CaseLink, Chip, download, figureName, Linked, LinkField, SideMark, signed, unitName, verdict as inWords } from "./words";

export function Sheet({ title, wide, children, onClose }: { title: string; wide?: boolean; children: ComponentChildren; onClose?: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const d = box.current;
    if (d && !d.open) d.showModal();
    return () => d?.close();
  }, []);
  const close = (): void => {
    sheet.value = null;
    onClose?.();
  };
  return (
    <dialog
      ref={box}
      class={`sheet${wide ? " wide" : ""}`}
      aria-label={title}
      onClose={close}
      onClick={(e) => {
        if (e.target === box.current) close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="btn" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      <div class="body" tabIndex={0}>
        {children}
      </div>
    </dialog>
  );
}

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

export function ChartView({ chart, lit }: { chart: Chart; lit?: Set<string> }) {
  return (
    <figure class="chart">
      <figcaption>
        {chart.title} <CaseLink number={chart.case} />
      </figcaption>
      <div class="scroll" tabIndex={0} role="region" aria-label={chart.title}>
        <table>
          <thead>
            <tr>
              {chart.head.map((h, i) => (
                <th key={i} scope="col" class={`${h.length < 7 ? "short" : ""}${lit?.has(h) ? " lit" : ""}`}>
                  {h}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {chart.rows.map((row, r) => (
              <tr key={r} class={lit?.has(row[0] ?? "") ? "lit" : ""}>
                {row.map((cell, i) => (
                  <td key={i} class={lit?.has(chart.head[i] ?? "") && i ? "lit" : ""}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(chart.notes ?? []).map((n) => (
        <p key={n} class="note">
          {n}
        </p>
      ))}
    </figure>
  );
}

function Charts() {
  const lit = new Set(weighed.value?.explanation.columns.map((c) => String(c.value)) ?? []);
  return (
    <>
      {(rules.value?.charts ?? []).map((c) => (
        <ChartView key={c.id} chart={c} lit={weighed.value?.explanation.table === c.id ? lit : undefined} />
      ))}
      {!rules.value?.charts.length && <p>This game has no charts.</p>}
    </>
  );
}

const sought = signal("");
const stateOf = (c: Counter): string =>
  [c.full_steps && c.full_steps > 1 ? `${c.steps ?? 1} of ${c.full_steps} steps` : "", ...(c.states ?? [])].filter(Boolean).join(", ");

function OrderOfBattle() {
  const sides = welcome.value?.game.sides ?? [];
  const all = shown.value?.table.counters ?? [];
  const boxes = new Map((shown.value?.table.boxes ?? []).map((b) => [b.id, b.title]));
  const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const told = (c: Counter): string =>
    [c.id, c.name, c.formation, c.figures, c.symbol, c.hex ? `${c.hex} on the map` : boxes.get(c.box ?? ""), (c.steps ?? 1) < (c.full_steps ?? 1) ? "reduced" : "", stateOf(c)].join(" ").toLowerCase();
  return (
    <>
      <label class="search">
        <span class="sr">Find units</span>
        <input type="search" placeholder="Find: a unit, a formation, a hex, “reduced”, “eliminated” …" value={sought.value} onInput={(e) => (sought.value = e.currentTarget.value)} />
      </label>
      {sides.map((side) => {
        const own = all.filter((c) => c.side === side && words.every((w) => told(c).includes(w)));
        const groups = new Map<string, Counter[]>();
        for (const c of own) {
          const k = c.formation || (c.hex ? "On the map" : (boxes.get(c.box ?? "") ?? "Beside the map"));
          groups.set(k, [...(groups.get(k) ?? []), c]);
        }
        return (
          <section key={side}>
            <h3>
              <SideMark side={side} /> {sideName(side)}, {own.filter((c) => c.hex).length} on the map of {own.length}
            </h3>
            {[...groups].map(([name, units]) => (
              <details key={name} open={groups.size < 12 || words.length > 0}>
                <summary>
                  {name} ({units.length})
                </summary>
                <ul class="oob">
                  {units.map((c) => (
                    <li key={c.id}>
                      <Chip c={c} size={40} quiet />
                      <span>
                        {unitName(c)}
                        <small>{[c.figures, stateOf(c)].filter(Boolean).join(" · ")}</small>
                      </span>
                      <span class="cond">{c.hex ? <Linked text={c.hex} /> : (boxes.get(c.box ?? "") ?? "")}</span>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </section>
        );
      })}
    </>
  );
}

function Boxes() {
  const boxes = shown.value?.table.boxes ?? [];
  const by = new Map<string, Counter[]>();
  for (const c of counters.value.values()) if (c.box) by.set(c.box, [...(by.get(c.box) ?? []), c]);
  const full = boxes.filter((b) => by.has(b.id) || (b.text && !b.turn)).sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const sides = welcome.value?.game.sides ?? [];
  /** Boxes of the same name belong to the side their id begins with. */
  const named = (b: Box): string => {
    const side = sides.find((s) => b.id.startsWith(`${s}-`) && !b.title.toLowerCase().includes(s));
    return side ? `${sideName(side)}: ${b.title.charAt(0).toLowerCase()}${b.title.slice(1)}` : b.title;
  };
  const empty = [...new Set(boxes.filter((b) => !b.turn && !full.includes(b)).map(named))];
  if (!boxes.length) return <p>Nothing lies beside the map.</p>;
  return (
    <div class="boxes">
      {full.map((b) => {
        const there = by.get(b.id) ?? [];
        return (
          <section key={b.id} class={there.length > 15 ? "large" : ""}>
            <h3>
              {named(b)}
              {sides.map((side) => {
                const count = there.filter((c) => c.side === side).length;
                return (
                  count > 0 && (
                    <small key={side} title={sideName(side)}>
                      <SideMark side={side} /> {count} <span class="sr">{sideName(side)}</span>
                    </small>
                  )
                );
              })}
            </h3>
            {b.text && <p>{b.text}</p>}
            <div class="chips">
              {there.map((c) => (
                <span key={c.id} title={`${c.id} ${figureName(c)}`}>
                  <Chip c={c} size={48} />
                </span>
              ))}
            </div>
          </section>
        );
      })}
      {empty.length > 0 && <p class="mute large">Empty: {empty.join(", ")}</p>}
    </div>
  );
}

export function Ledger({ outcome, children }: { outcome: Outcome; children?: ComponentChildren }) {
  return (
    <>
      <p class="verdict">
        {inWords(outcome)} <CaseLink number={outcome.case} />
      </p>
      {children}
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">For</th>
            <th scope="col">Case</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {outcome.ledger.map((e, i) => (
            <tr key={i}>
              <td>
                <SideMark side={e.side} /> {sideName(e.side)}
              </td>
              <td>
                <Linked text={e.label} />
              </td>
              <td>
                <CaseLink number={e.case} />
              </td>
              <td class="cond">{signed(e.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!outcome.ledger.length && <p class="mute">No points yet.</p>}
    </>
  );
}

const draft = signal("");
const link = signal<Record<string, string>>({});

function Talk() {
  const p = people.value;
  const w = welcome.value;
  useEffect(() => {
    unread.value = 0;
  }, [talk.value]);
  const invite = async (side: string): Promise<void> => {
    const made = await post<{ link: string }>(`/api/matches/${w!.match}/invite`, { side });
    link.value = { ...link.value, [side]: location.origin + made.link };
  };
  const seated = (p?.you.length ?? 0) > 0;
  const alone = p?.seats.every((s) => p.you.includes(s.side));
  const name = p?.seats.find((s) => p.you.includes(s.side))?.name ?? "";
  return (
    <>
      <ul class="seats">
        {p?.seats.map((s) => (
          <li key={s.side}>
            <SideMark side={s.side} />
            <b>{sideName(s.side)}</b>
            <span>{s.player ? `the computer, ${s.player}` : !s.taken ? "nobody yet" : `${p.you.includes(s.side) ? "you" : s.name || "a player"}${s.here ? ", at the table" : ", away"}`}</span>
            {!s.taken && seated && (
              <button type="button" class="btn" onClick={() => void invite(s.side)}>
                Invite by link
              </button>
            )}
            {link.value[s.side] && (
              <LinkField link={link.value[s.side]!} label={`Invitation for ${s.side}`} />
            )}
          </li>
        ))}
        <li>
          <i class="mark" />
          <b>Watching</b>
          <span>{p?.watching || "nobody"}; whoever has this page's address may</span>
        </li>
      </ul>
      {seated && (
        <label class="say">
          Your name
          <input maxLength={40} value={name} placeholder="What the others read" onChange={(e) => void post("/api/name", { name: e.currentTarget.value })} />
        </label>
      )}
      <ol class="talk" aria-live="polite">
        {talk.value.map((t) => (
          <li key={t.n}>
            <b>{t.author}</b> <span>{t.text}</span> <small class="mute">{ago(t.at)}</small>
          </li>
        ))}
      </ol>
      <form
        class="say"
        onSubmit={(e) => {
          e.preventDefault();
          const text = draft.value.trim();
          if (text) void ask({ t: "say", text });
          draft.value = "";
        }}
      >
        <input aria-label="Say something" placeholder="To everybody at the table" maxLength={2000} value={draft.value} onInput={(e) => (draft.value = e.currentTarget.value)} />
        <button type="submit" class="btn teal">
          Say
        </button>
      </form>
      {seated && !live.value?.over && (
        <div class="acts">
          <button
            type="button"
            class="btn"
            onClick={() => {
              if (!alone || confirm("End this game as it stands?")) void ask({ t: "peace", offer: true });
            }}
          >
            {alone ? "End as it stands" : "Offer to end as it stands"}
          </button>
          <button
            type="button"
            class="btn"
            onClick={() => {
              if (confirm(`Resign this game for the ${sideName(live.value?.audience)} side?`)) void ask({ t: "resign" });
            }}
          >
            Resign
          </button>
        </div>
      )}
    </>
  );
}

const proof = signal<Proof | null>(null);
const verdict = signal("");

async function verify(): Promise<void> {
  const p = await get<Proof>(`/api/matches/${welcome.value!.match}/proof`);
  proof.value = p;
  verdict.value = p.seed ? checkRolls(p) : "";
}

export function Dice() {
  const w = welcome.value;
  useEffect(() => {
    proof.value = null;
    verdict.value = "";
    if (live.value?.over) void verify();
  }, [w?.match]);
  return (
    <>
      <p>
        Before the first roll the server published a fingerprint of a secret number. Every roll follows from that number and the count of the roll alone. When the game is over the number is shown, and this page works out every roll again.
      </p>
      <p class="mono">{w?.commitment}</p>
      {!live.value?.over && <p class="mute">The secret number is shown when the game is over.</p>}
      {proof.value?.seed && (
        <>
          <p class="mono">{proof.value.seed}</p>
          {w?.kind === "study" && !verdict.value.startsWith("All") ? (
            <p class="mute" role="status">
              This board was opened from a file. Its number speaks only for dice thrown here; a finished record carries its own, which the command line checks.
            </p>
          ) : (
            <p class={verdict.value.startsWith("All") ? "good" : "bad"} role="status">
              {verdict.value}
            </p>
          )}
          <Luck />
          <Faces proof={proof.value} />
        </>
      )}
    </>
  );
}

const report = signal<LuckReport | null>(null);

/** How far luck strayed from what was to be expected, in words that do not claim more than the dice tell. */
function strayed(luck: number, spread: number): string {
  if (!spread) return "no dice to speak of";
  const far = Math.abs(luck) / spread;
  const how = far < 0.5 ? "about what the odds promised" : far < 1 ? "a little" : far < 2 ? "clearly" : "remarkably";
  return far < 0.5 ? how : `${how} ${luck > 0 ? "lucky" : "unlucky"}`;
}

const steps = (v: number): string => `${v < 0 ? "−" : v > 0 ? "+" : ""}${Math.abs(v).toFixed(1)}`;

function Throws({ title, throws }: { title: string; throws: Throw[] }) {
  if (!throws.length) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="throws">
        {throws.map((t) => (
          <li key={t.n}>
            <SideMark side={t.side} />
            <span>
              {sideName(t.side)}, turn {t.turn}: <Linked text={t.title} />, result <b>{t.result}</b>
              {t.chance > 0 && `, a chance of ${(100 * t.chance).toFixed(1)} %`}
            </span>
            <b class={t.luck < 0 ? "neg" : "pos"}>{steps(t.luck)}</b>
            <button
              type="button"
              class="jump"
              title={`Show the table after event ${t.n}`}
              onClick={() => {
                sheet.value = null;
                void goTo(t.n);
              }}
            >
              #{t.n}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the attacks of each side should have brought, and what they did. */
function Luck() {
  const match = welcome.value?.match;
  useEffect(() => {
    report.value = null;
    if (match)
      void get<LuckReport>(`/api/matches/${match}/luck`).then((r) => {
        report.value = r;
      });
  }, [match]);
  const r = report.value;
  if (!r) return <p class="mute">Working out the luck of both sides …</p>;
  if (!Object.values(r.sides).some((l) => l.attacks)) return <p class="mute" data-luck>No attack was made, so there is no luck to weigh.</p>;
  return (
    <section class="luck" data-luck>
      <h3>Luck</h3>
      <table class="ledger">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Attacks</th>
            <th scope="col">Expected</th>
            <th scope="col">Got</th>
            <th scope="col">Luck, both sides' attacks</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(r.sides).map(([side, l]) => (
            <tr key={side}>
              <td>
                <SideMark side={side} /> {sideName(side)}
              </td>
              <td class="cond">{l.attacks}</td>
              <td class="cond">{steps(l.expected)}</td>
              <td class="cond">{steps(l.got)}</td>
              <td>
                <b class="cond">{steps(l.luck)}</b> {strayed(l.luck, r.spread)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        Counted in steps: what attacks cost the defender less what they cost the attacker, by the code of the result, retreats as parts of a step. Expected is the exact odds at the moment of commitment, as the attacker could know them. Two games in three stray less than {r.spread.toFixed(1)} either way. {r.other} other throws and draws (weather, arrivals, strengths) are not weighed, nor is what players made of their luck.
      </p>
      <Throws title="Luckiest attacks" throws={r.best} />
      <Throws title="Unluckiest attacks" throws={r.worst} />
    </section>
  );
}

function Faces({ proof: p }: { proof: Proof }) {
  const sides = welcome.value?.game.sides ?? [];
  return (
    <section class="luck">
      <h3>Dice by side on move</h3>
      {sides.map((side) => {
        const rolls = p.rolls.filter((r) => r.side === side && r.result.startsWith("die ")).map((r) => Number(r.result.slice(4)));
        const most = Math.max(1, ...[1, 2, 3, 4, 5, 6].map((n) => rolls.filter((r) => r === n).length));
        const mean = rolls.length ? rolls.reduce((a, b) => a + b, 0) / rolls.length : 0;
        return (
          <div key={side} class="histogram">
            <b>
              <SideMark side={side} /> {sideName(side)}: {rolls.length} {rolls.length === 1 ? "die" : "dice"}{rolls.length ? `, average ${mean.toFixed(2)} (expected 3.50)` : ""}
            </b>
            <div class="bars" aria-hidden="true">
              {[1, 2, 3, 4, 5, 6].map((n) => {
                const count = rolls.filter((r) => r === n).length;
                return (
                  <span key={n}>
                    <i style={{ height: `${(48 * count) / most}px` }} />
                    {n}
                    <small>{count}</small>
                  </span>
                );
              })}
            </div>
          </div>
        );
      })}
    </section>
  );
}

export function SettingsForm() {
  const s = settings.value;
  return (
    <div class="settings">
      <fieldset>
        <legend>Colours</legend>
        {(["auto", "classic", "dark", "distinct"] as const).map((t) => (
          <label key={t}>
            <input type="radio" name="theme" checked={s.theme === t} onChange={() => change({ theme: t })} /> {t === "auto" ? "as the system" : t}
          </label>
        ))}
      </fieldset>
      <label>
        Text size in panels, {s.text} %
        <input type="range" min={100} max={200} step={10} value={s.text} onInput={(e) => change({ text: Number(e.currentTarget.value) })} />
      </label>
      <label>
        The computer waits between orders, {(s.pace / 1000).toFixed(2)} s
        <input
          type="range"
          min={0}
          max={2000}
          step={50}
          value={s.pace}
          onInput={(e) => {
            change({ pace: Number(e.currentTarget.value) });
            void ask({ t: "pace", wait: settings.value.pace });
          }}
        />
      </label>
      <label>
        <input type="checkbox" checked={s.motion} onChange={(e) => change({ motion: e.currentTarget.checked })} /> Animate moves
      </label>
      <label>
        <input type="checkbox" checked={s.warn} onChange={(e) => change({ warn: e.currentTarget.checked })} /> Warn before a phase ends with units that have not moved
      </label>
    </div>
  );
}

export const KEYS: [string, string][] = [
  ["Arrows", "step from hex to hex; Home, Page Up, End, Page Down go slantwise"],
  ["Enter", "act on the hex: select, go there, aim; commit when the odds are shown"],
  [". and ,", "next and previous unit that may be ordered"],
  ["Space", "choose the next unit of the stack; Shift+Space the whole stack"],
  ["Esc", "let go of the selection, close"],
  ["U", "undo"],
  ["N", "end the phase"],
  ["/", "go to a hex"],
  [":", "type an order or a question (“hex 0403”, “units”, “help”)"],
  ["[ and ]", "one event back and on; \\ back to now"],
  ["R Z S T E Y X H", "layers: reach, zones, supply, threat, last moves, control, numbers, counters"],
  ["+ − 0", "zoom in, out, whole map; F the front"],
  ["C B O V P D", "charts, order of battle, beside the map, victory, people, dice"],
  ["?", "rules"],
  ["K", "these keys"],
];

function Keys() {
  const verbs = Object.values(welcome.value?.game.verbs ?? {});
  return (
    <>
      <table class="keys">
        <tbody>
          {KEYS.map(([k, what]) => (
            <tr key={k}>
              <th scope="row">
                <kbd>{k}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Orders that can be typed</h3>
      <table class="keys">
        <tbody>
          {verbs.map((v) => (
            <tr key={v.usage}>
              <th scope="row" class="mono">
                {v.usage}
              </th>
              <td>{v.help}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function drawingOf(): string {
  const land = document.querySelector<SVGGElement>(".world .land");
  const svg = document.querySelector<SVGSVGElement>(".world .pieces");
  if (!svg || !land) return "";
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.prepend(land.cloneNode(true));
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const root = getComputedStyle(document.documentElement);
  const tokens = ["paper", "panel", "ink", "mute", "teal", "ox", "gold", "german", "soviet", "line2"].map((t) => `--${t}:${root.getPropertyValue(`--${t}`)}`).join(";");
  const own = [...document.styleSheets].flatMap((s) => {
    try {
      return [...s.cssRules].map((r) => r.cssText).filter((t) => /\.(piece|zone|reach|supply|badge|fort|control|rings|arrows|halo|trail)/.test(t));
    } catch {
      return [];
    }
  });
  style.textContent = `svg{${tokens}}\n${own.join("\n")}`;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

const refused = signal("");

/** Fetch a file to keep, or say why it is not to be had. */
async function keep(path: string): Promise<void> {
  refused.value = "";
  const response = await fetch(path);
  if (!response.ok) {
    refused.value = ((await response.json()) as { message: string }).message;
    return;
  }
  const name = /filename="(.+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "ladoga.txt";
  download(name, await response.blob());
}

function Keep() {
  const w = welcome.value!;
  useEffect(() => {
    refused.value = "";
  }, []);
  const ways: [string, string, () => unknown][] = [
    ["Save the record", "every order and every die so far; open it again from the front page, or give it to a friend", () => keep(`/api/matches/${w.match}/record`)],
    ["Save the position", "what you may know now, as a document you can read and change", () => keep(`/api/matches/${w.match}/position?n=${shown.value?.n ?? 0}`)],
    ["Save the map", "map and counters as a drawing (SVG)", () => download(`${w.game.id}-${w.match}.svg`, new Blob([drawingOf()], { type: "image/svg+xml" }))],
    [
      "Print the map",
      "or make a PDF of it",
      () => {
        sheet.value = null;
        setTimeout(print, 100);
      },
    ],
  ];
  return (
    <>
      <p>Every game is kept by itself, order by order. What you save here is for you to take along.</p>
      <ul class="ways">
        {ways.map(([label, text, act]) => (
          <li key={label}>
            <button type="button" class="btn" onClick={() => void act()}>
              {label}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {refused.value && (
        <p class="bad" role="alert">
          Not now: {refused.value}
        </p>
      )}
      <p>Whoever has this address may watch:</p>
      <LinkField link={location.origin + location.pathname} label="Address of this table" />
    </>
  );
}

function End() {
  const o = live.value?.outcome;
  if (!o) return null;
  return (
    <>
      {o.by && <p>{sideName(o.by)} resigned.</p>}
      {o.agreed && <p>Ended by agreement.</p>}
      <Ledger outcome={o}>
        <div class="acts wrap">
          <button
            type="button"
            class="btn teal"
            onClick={() => {
              sheet.value = null;
              void goTo(0);
            }}
          >
            Replay
          </button>
          <button type="button" class="btn" onClick={() => (sheet.value = "keep")}>
            Save, share, print
          </button>
          <a class="btn" href="/">
            Front page
          </a>
        </div>
      </Ledger>
      <h3>The dice</h3>
      <Dice />
    </>
  );
}

export function Sheets() {
  const w = welcome.value;
  const close = (): void => {
    caseShown.value = null;
  };
  switch (sheet.value) {
    case "rules":
      return (
        <Sheet title={`Rules: ${w ? shortTitle(w.game.title).name : ""}`} wide onClose={close}>
          {rules.value && <RulesList book={rules.value} open={caseShown.value} />}
        </Sheet>
      );
    case "charts":
      return (
        <Sheet title="Charts" wide>
          <Charts />
        </Sheet>
      );
    case "oob":
      return (
        <Sheet title="Order of battle" wide>
          <OrderOfBattle />
        </Sheet>
      );
    case "corrections":
      return (
        <Sheet title="Corrections of this game">
          <p>This match is played with an owner's corrections to our data. They are kept in its record.</p>
          <ul class="changes">
            {w?.game.changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Sheet>
      );
    case "boxes":
      return (
        <Sheet title="Beside the map" wide>
          <Boxes />
        </Sheet>
      );
    case "ledger":
      return (
        <Sheet title={shown.value?.outcome ? "How it ended" : "If it ended now"}>
          {shown.value && <Ledger outcome={shown.value.outcome ?? shown.value.standing} />}
        </Sheet>
      );
    case "talk":
      return (
        <Sheet title="People and talk">
          <Talk />
        </Sheet>
      );
    case "dice":
      return (
        <Sheet title="Dice">
          <Dice />
        </Sheet>
      );
    case "keep":
      return (
        <Sheet title="Save, share, print">{w && <Keep />}</Sheet>
      );
    case "settings":
      return (
        <Sheet title="Settings">
          <SettingsForm />
        </Sheet>
      );
    case "keys":
      return (
        <Sheet title="Keys and orders" wide>
          <Keys />
        </Sheet>
      );
    case "end":
      return (
        <Sheet title="The game is over" wide>
          <End />
        </Sheet>
      );
    default:
      return null;
  }
}
