// What the server says, in the words of the server.

export interface Counter {
  id: string;
  side: string;
  hex?: string;
  box?: string;
  symbol?: string;
  size?: string;
  name?: string;
  formation?: string;
  figures?: string;
  steps?: number;
  full_steps?: number;
  colour?: string;
  states?: string[];
  face_down?: boolean;
}
export interface Marker {
  hex: string;
  kind: string;
  label?: string;
  side?: string;
}
export interface Box {
  id: string;
  title: string;
  text?: string;
  turn?: number;
}
export interface Table {
  counters?: Counter[];
  markers?: Marker[];
  boxes?: Box[];
  lines?: string[];
  warnings?: string[];
}
export interface Phase {
  id: string;
  side: string;
  case: string;
  title: string;
}
export interface Entry {
  side: string;
  points: number | string;
  label: string;
  case: string;
}
export interface Outcome {
  winner: string | null;
  level: string;
  margin: number | string;
  case: string;
  ledger: Entry[];
  by?: string;
  agreed?: boolean;
}
export interface Offers {
  orders: string[];
  hexes: Record<string, string[]>;
  units: Record<string, string[]>;
}
export interface State {
  version: number;
  n: number;
  turn: number;
  phase: Phase;
  phases: Phase[];
  prompt: string;
  to_move: string | null;
  audience: string;
  table: Table;
  standing: Outcome;
  outcome: Outcome | null;
  offers: Offers;
  trail: Trail[];
  over?: boolean;
  peace?: string[];
  seed?: string;
  undo?: { to: number | null; text: string; floor: number };
}
export interface Trail {
  unit: string;
  path: string[];
}
export interface Threat {
  column: string;
  hurt: number;
  exact: string;
  units: string[];
}
export interface Throw {
  n: number;
  turn: number;
  side: string;
  title: string;
  result: string;
  chance: number;
  expected: number;
  got: number;
  luck: number;
}
export interface LuckReport {
  sides: Record<string, { attacks: number; expected: number; got: number; luck: number }>;
  spread: number;
  best: Throw[];
  worst: Throw[];
  other: number;
}
export interface Option {
  title: string;
  case: string;
  default: boolean | number | string;
  choices: (boolean | number | string)[];
  text: string;
}
export interface Scenario {
  title: string;
  turns: number;
  text: string;
  case: string;
}
export interface About {
  id: string;
  title: string;
  sides: string[];
  turns: number;
  calendar: string[];
  scenarios: Record<string, Scenario>;
  options: Record<string, Option>;
  verbs: Record<string, { usage: string; help: string }>;
  changes: string[];
  km: number;
  guide: boolean;
}
export interface Welcome {
  match: string;
  game: About;
  kind: string;
  begun: number;
  scenario: string;
  options: Record<string, boolean | number | string>;
  commitment: string;
  own_map: boolean;
  bookmarks: [number, string][];
  talk: Talk[];
}
export interface Talk {
  n: number;
  author: string;
  text: string;
  at: number;
}
export interface Seat {
  side: string;
  player: string;
  name: string;
  here?: boolean;
  taken: boolean;
  invited?: boolean;
}
export interface People {
  seats: Seat[];
  watching: number;
  thinking: string | null;
  you: string[];
  since: number;
}
export interface Spelt {
  text: string;
  verb: string;
  units: string[];
  hexes: string[];
  words: string[];
}
export interface Choices {
  orders: Spelt[];
  reach: Record<string, [string, string, string[]]>;
  weighed: string[];
}
export interface Spread {
  value: number | string;
  exact: string;
  probability: number;
}
export interface Explanation {
  order: string;
  title: string;
  attack: Spread[];
  defence: Spread[];
  modifiers: { label: string; amount: number | string; case: string; counts: boolean }[];
  net: number | string;
  initial: Spread[];
  columns: Spread[];
  results: Spread[];
  meaning: Record<string, string>;
  table: string;
  notes: string[];
  to_die: boolean;
}
export interface Trace {
  supplied: boolean;
  path: string[];
  source: string;
  cut: string;
  case: string;
  message: string;
}
export interface HexFacts {
  hex: string;
  name: string;
  terrain: string;
  places: string[];
  sides: Record<string, string[]>;
  zones: string[];
  supply: Record<string, Trace>;
}
export interface LogLine {
  text: string;
  case: string;
  kind: string;
}
export interface LogEntry {
  n: number;
  turn: number;
  phase: string;
  side: string;
  lines: LogLine[];
  text: string;
  roll?: number;
  chance?: string;
}
export interface Case {
  case: string;
  title: string;
  text: string;
}
export interface Chart {
  id: string;
  title: string;
  case: string;
  head: string[];
  rows: string[][];
  notes?: string[];
}
export interface Rules {
  title: string;
  cases: Case[];
  charts: Chart[];
}
export interface Board {
  name: string;
  title: string;
  shape: "flat" | "pointy";
  north: number;
  km: number;
  dx: number;
  dy: number;
  frame: [number, number, number, number];
}
export interface Ground {
  hex: number;
  boards: Board[];
  hexes: Record<string, [number, number]>;
}
export interface Summary {
  id: string;
  game: string;
  title: string;
  kind: string;
  begun: number;
  turn: number;
  phase: string;
  to_move: string | null;
  over: boolean;
  outcome: Outcome | null;
  events: number;
  you: string[];
  seats: Seat[];
}
export interface Reply {
  ok: boolean;
  code?: string;
  message?: string;
  case?: string;
}
