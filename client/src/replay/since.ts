// What the other side did in its last player-turn, read out of the record.
import { computed, signal } from "@preact/signals";
import { live, log, past } from "../table/state";
import type { LogEntry, LogFight } from "../wire";

export interface Fought extends LogFight {
  n: number;
  number: number;
  /** Sentences that tell who was hurt, and whether that was you. */
  hurt: { text: string; case: string; mine: boolean }[];
}

export interface Since {
  first: number;
  last: number;
  turn: number;
  side: string;
  phases: string[];
  steps: LogEntry[];
  moves: number;
  /** Fights of both sides: yours are the fire and the like with which you answered. */
  fights: Fought[];
  /** The other side's among them. */
  attacks: number;
  /** Why a computer did it, the plan of each phase first. */
  why: string[];
  lost: number;
  enemyLost: number;
  places: string[];
  /** Each counter's way through the turn, in order. */
  ways: { unit: string; side: string; path: string[]; back: boolean }[];
}

const TOLD = /elimin|destroy|lost|loses|loss|retreat|removed|surrender/;
const ENTERS = /\benters?\b|entered/;
const PLACES = /captur|taken|falls|control|occup/;

function fightsOf(block: LogEntry[], me: string): Fought[] {
  const found: Fought[] = [];
  for (const entry of block) {
    if (entry.fight) found.push({ ...entry.fight, n: entry.n, number: found.length + 1, hurt: [] });
    const fight = found.at(-1);
    if (!fight || !(entry.fight || entry.outcome)) continue;
    for (const line of entry.lines)
      if (TOLD.test(`${line.kind} ${line.text}`.toLowerCase()) && line.kind !== "result" && line.kind !== "casualties")
        fight.hurt.push({ text: line.text, case: line.case, mine: (entry.lost[me] ?? 0) > 0 });
  }
  return found;
}

function waysOf(block: LogEntry[], me: string): Since["ways"] {
  const by = new Map<string, Since["ways"][number]>();
  for (const entry of block)
    for (const [unit, from, to] of entry.moved) {
      const way = by.get(unit);
      const back = entry.lines.some((l) => /retreat/.test(l.kind) || /retreat/.test(l.text));
      if (way && way.path.at(-1) === from && way.back === back) way.path.push(to);
      else by.set(way ? `${unit} ${entry.n}` : unit, { unit, side: entry.side || me, path: [from, to], back });
    }
  return [...by.values()];
}

/** Reasons that many orders share are plans and come first, then those of orders that move nobody: the fights. */
function whyOf(block: LogEntry[]): string[] {
  const given = new Map<string, { orders: number; still: boolean }>();
  for (const { reason, moved } of block) {
    if (!reason) continue;
    const known = given.get(reason) ?? { orders: 0, still: false };
    given.set(reason, { orders: known.orders + 1, still: known.still || !moved.length });
  }
  const rank = ({ orders, still }: { orders: number; still: boolean }): number => (orders > 1 ? 0 : still ? 1 : 2);
  return [...given].sort(([, a], [, b]) => rank(a) - rank(b)).map(([reason]) => reason);
}

function movesOf(block: LogEntry[], side: string): number {
  const its = block.filter((e) => e.side === side);
  const entered = its.filter((e) => !e.moved.length && e.lines.some((l) => ENTERS.test(`${l.kind} ${l.text}`)));
  return new Set(its.flatMap((e) => e.moved.map(([unit]) => unit))).size + entered.length;
}

/** The other side's last player-turn, as far as you may know it. */
export const since = computed<Since | null>(() => {
  const me = live.value?.audience;
  if (!me || me === "observer") return null;
  const entries = log.value;
  let end = entries.length - 1;
  while (end >= 0 && (entries[end]!.of === me || !entries[end]!.of)) end--;
  let start = end;
  while (start > 0 && entries[start - 1]!.of !== me) start--;
  if (end < 0) return null;
  const block = entries.slice(start, end + 1);
  const fights = fightsOf(block, me);
  const other = block.at(-1)!.of;
  const ways = waysOf(block, me);
  return {
    first: block[0]!.n,
    last: block.at(-1)!.n,
    turn: block[0]!.turn,
    side: other,
    phases: [...new Set(block.map((e) => e.phase))],
    steps: block.filter((e) => e.moved.length || e.fight),
    moves: movesOf(block, other),
    fights,
    attacks: fights.filter((f) => f.side === other).length,
    why: whyOf(block.filter((e) => e.side === other)),
    lost: block.reduce((sum, e) => sum + (e.lost[me] ?? 0), 0),
    enemyLost: block.reduce((sum, e) => sum + (e.lost[other] ?? 0), 0),
    places: block.flatMap((e) => e.lines.filter((l) => PLACES.test(l.kind)).map((l) => l.text)),
    ways,
  };
});

/** The digest that was put away, by its last event; and one that was asked for. */
const away = signal(0);
export const kept = signal(false);

/** Whether you have ordered anything since. */
const begun = computed(() => {
  const s = since.value;
  const me = live.value?.audience;
  return !!s && log.value.some((e) => e.n > s.last && e.side === me && e.text);
});

export const digest = computed<Since | null>(() => {
  const s = since.value;
  const l = live.value;
  if (!s || !l || l.over || (!s.moves && !s.fights.length)) return null;
  if (kept.value) return s;
  const mine = l.phase.side === l.audience;
  return mine && !begun.value && away.value !== s.last && (!past.value || (past.value.n >= s.first && past.value.n <= s.last)) ? s : null;
});

export function closeDigest(): void {
  away.value = since.value?.last ?? 0;
  kept.value = false;
}

/** The trails and numbers on the map: with the digest, or as long as they are wanted. */
export const trailed = computed<Since | null>(() => (kept.value ? since.value : digest.value));
