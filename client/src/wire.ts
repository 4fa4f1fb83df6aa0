// Written by tools/wire.py from the server's own types: do not edit.

/** A counter as it lies on the table, face up or face down. */
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
  called?: string;
  reverse?: string;
}

/** Something on the map that is not a counter with strengths: fort, interdiction, rubble, control. */
export interface Marker {
  hex: string;
  kind: string;
  label?: string;
  side?: string;
}

/** A place beside the map: turn track, reinforcements, dead pile, air display, HQ sheet, pool. */
export interface Box {
  id: string;
  title: string;
  text?: string;
  turn?: number;
}

/** Everything to draw over the map. */
export interface Table {
  counters?: Counter[];
  markers?: Marker[];
  boxes?: Box[];
  lines?: string[];
  warnings?: string[];
}

/** A chart or table: a heading row and rows of cells. */
export interface Chart {
  id: string;
  title: string;
  case: string;
  head: string[];
  rows: string[][];
  notes?: string[];
}

/** A phase of the sequence of play. */
export interface Phase {
  id: string;
  side: string;
  case: string;
  title: string;
}

/** A line of the victory ledger. */
export interface Entry {
  side: string;
  points: number | string;
  label: string;
  case: string;
}

/** How a game ended, or stands. */
export interface Outcome {
  winner: string | null;
  level: string;
  margin: number | string;
  case: string;
  ledger: Entry[];
  by?: string;
  agreed?: boolean;
  seats?: Record<string, string>;
}

/** What may be ordered: orders that stand alone, hexes that can be pointed at, units with their verbs; and after a fight every payment and every advance, spelt out. */
export interface Offers {
  orders: string[];
  hexes: Record<string, string[]>;
  units: Record<string, string[]>;
  due: Spelt[];
}

/** The way a counter went. */
export interface Trail {
  unit: string;
  path: string[];
}

/** What the undo button does, and how far back it may go. */
export interface UndoState {
  to: number | null;
  text: string;
  floor: number;
  order: string;
}

/** What the button that ends something says and does; held back, why. */
export interface Ending {
  order: string;
  label: string;
  held: string;
  case: string;
  why: string;
}

/** What somebody is asked: the action, how it is done, and how it ends. */
export interface Ask {
  what: string;
  how: string;
  ending: Ending;
}

/** A value with its exact chance. */
export interface Spread {
  value: number | string;
  exact: string;
  probability: number;
}

/** A shift or modifier with its case. */
export interface Modifier {
  label: string;
  amount: number | string;
  case: string;
  counts: boolean;
  sure: boolean;
}

/** What an attack promises: that the hex falls, that it is for its owner to say, that it holds; that the attacker loses nothing. */
export interface Prospects {
  falls: number;
  depends: number;
  holds: number;
  unhurt: number;
}

/** An attack in numbers. */
export interface Explanation {
  order: string;
  title: string;
  attack: Spread[];
  defence: Spread[];
  modifiers: Modifier[];
  net: number | string;
  initial: Spread[];
  columns: Spread[];
  results: Spread[];
  meaning: Record<string, string>;
  table: string;
  notes: string[];
  to_die: boolean;
  prospects: Prospects;
  hexes: string[];
  against: Counter[];
  units: Counter[];
}

/** What a fight costs a side: the half of the code that is its own, and what of it has been paid. */
export interface Owed {
  side: string;
  part: string;
  owed: number;
  paid: number;
  done: boolean;
}

/** A fight and what came of it, while its outcome is still being carried out. */
export interface Moment {
  n: number;
  began: number;
  turn: number;
  side: string;
  title: string;
  hexes: string[];
  attackers: Counter[];
  defenders: Counter[];
  attack: string;
  defence: string;
  modifiers: Modifier[];
  initial: string;
  column: string;
  table: string;
  to_die: boolean;
  dice: string[];
  code: string;
  meaning: string;
  chance: number;
  exact: string;
  prospects: Prospects;
  owed: Owed[];
  lines: LogLine[];
}

/** Seconds each side has left when this was sent, and had at first, and the side for which the clock runs; nobody's is empty. */
export interface Clock {
  kind: "minutes" | "days";
  each: number;
  left: Record<string, number>;
  running: string;
}

/** A side asks to take orders back until so many events are left. */
export interface Takeback {
  side: string;
  to: number;
}

/** The table as somebody sees it. */
export interface State {
  version: number;
  n: number;
  turn: number;
  phase: Phase;
  phases: Phase[];
  prompt: string;
  ask: Ask;
  to_move: string | null;
  audience: string;
  table: Table;
  standing: Outcome;
  outcome: Outcome | null;
  offers: Offers;
  trail: Trail[];
  moment: Moment | null;
  over?: boolean;
  peace?: string[];
  seed?: string;
  undo?: UndoState;
  takeback?: Takeback | null;
  clock?: Clock | null;
}

/** The best attack the enemy could bring against a hex. */
export interface Threat {
  column: string;
  hurt: number;
  exact: string;
  units: string[];
}

/** An attack that went well or ill. */
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

/** The luck of one side. */
export interface SideLuck {
  attacks: number;
  expected: number;
  got: number;
  luck: number;
}

/** The luck of both sides. */
export interface LuckReport {
  sides: Record<string, SideLuck>;
  spread: number;
  best: Throw[];
  worst: Throw[];
  other: number;
}

/** A rule that players may choose. */
export interface Option {
  title: string;
  case: string;
  default: boolean | number | string;
  choices: (boolean | number | string)[];
  text: string;
}

/** A scenario. */
export interface Scenario {
  title: string;
  turns: number;
  text: string;
  case: string;
}

/** A phase for narrow places. */
export interface PhaseHelp {
  short: string;
  before: boolean;
}

/** How an order is typed. */
export interface VerbHelp {
  usage: string;
  help: string;
  role: string;
  said: string;
}

/** What the front page says about a game besides its own data. */
export interface Card {
  text: string;
  hours: string;
  weight: number;
  year: string;
  name: string;
}

/** A game as the front page knows it. */
export interface About {
  id: string;
  title: string;
  sides: string[];
  turns: number;
  calendar: string[];
  scenarios: Record<string, Scenario>;
  options: Record<string, Option>;
  phases: Record<string, PhaseHelp>;
  verbs: Record<string, VerbHelp>;
  changes: string[];
  km: number;
  guide: boolean;
  ratings: Record<string, [number, number]>;
  card: Card;
}

/** Something said at the table. */
export interface Talk {
  n: number;
  author: string;
  text: string;
  at: number;
}

/** What somebody learns who comes to a table. */
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
  delay: number;
}

/** A seat at a table. */
export interface Seat {
  side: string;
  player: string;
  name: string;
  taken: boolean;
  here?: boolean;
  invited?: boolean;
}

/** Who is there. */
export interface People {
  seats: Seat[];
  watching: number;
  thinking: string | null;
  you: string[];
  since: number;
}

/** An order, as text and in its parts. */
export interface Spelt {
  text: string;
  verb: string;
  units: string[];
  hexes: string[];
  words: string[];
}

/** What units may do together, and where they can go: points left, cost, way. */
export interface Choices {
  orders: Spelt[];
  reach: Record<string, [string, string, string[]]>;
  weighed: string[];
}

/** Why an order is illegal, or that it is not. */
export interface Answer {
  case: string;
  message: string;
  legal: boolean;
}

/** A line of supply. */
export interface Trace {
  supplied: boolean;
  path: string[];
  source: string;
  cut: string;
  case: string;
  message: string;
}

/** How far a unit's command or fire reaches; `beyond` is near enough but out of its sight. */
export interface Extent {
  kind: string;
  case: string;
  hexes: string[];
  beyond: string[];
}

/** What there is to know about a hex. */
export interface HexFacts {
  hex: string;
  name: string;
  terrain: string;
  places: string[];
  sides: Record<string, string[]>;
  zones: string[];
  supply: Record<string, Trace>;
  extent: Record<string, Extent>;
}

/** A sentence of the record. */
export interface LogLine {
  text: string;
  case: string;
  kind: string;
}

/** A fight in one line of the record: what it is called, its odds, its dice, its result and how likely that was. */
export interface LogFight {
  side: string;
  title: string;
  hexes: string[];
  column: string;
  dice: string[];
  code: string;
  chance: number;
}

/** An event of the record. `of` is the side whose phase it was, `moved` who went where from where, `lost` the steps each side had fewer on the map afterwards, `outcome` whether it belongs to what the fight before it led to, `reason` why a computer player ordered it. */
export interface LogEntry {
  n: number;
  turn: number;
  phase: string;
  side: string;
  of: string;
  lines: LogLine[];
  text: string;
  moved: [string, string, string][];
  lost: Record<string, number>;
  roll?: number;
  chance?: string;
  fight?: LogFight;
  outcome?: boolean;
  reason?: string;
}

/** A case of the rules in our words. */
export interface Case {
  case: string;
  title: string;
  text: string;
}

/** The cases and charts of a game. */
export interface Rules {
  title: string;
  cases: Case[];
  charts: Chart[];
}

/** A board of a map, and where it lies. */
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

/** Where the hexes of a map lie. */
export interface Ground {
  hex: number;
  boards: Board[];
  hexes: Record<string, [number, number]>;
}

/** Something on the map: its name, what it does, and a hex of it as SVG around the origin. */
export interface Sample {
  name: string;
  text: string;
  drawing: string;
}

/** The score for the first side, had the game ended after `n` events. */
export interface Score {
  n: number;
  turn: number;
  score: number;
  level: string;
}

/** A match in one line. */
export interface Summary {
  id: string;
  game: string;
  title: string;
  kind: string;
  begun: number;
  moved?: number;
  turn: number;
  phase: string;
  to_move: string | null;
  over: boolean;
  outcome: Outcome | null;
  events: number;
  you: string[];
  seats: Seat[];
}

/** What somebody is invited to. */
export interface Invitation {
  title: string;
  side: string;
  host: string;
  turn: number;
  phase: string;
}

/** A throw with everything that was possible: outcome, numerator, denominator. */
export interface Roll {
  title: string;
  turn: number;
  side: string;
  outcomes: [string, number, number][];
  result: string;
}

/** Every roll of a match, to be checked against the seed. */
export interface Proof {
  commitment: string;
  seed: string;
  rolls: Roll[];
}

/** A browser that a person uses. */
export interface Device {
  id: number;
  label: string;
  since: number;
  seen: number;
  this: boolean;
}

/** A link for another device, good once, and a picture of it as SVG. */
export interface DeviceLink {
  link: string;
  seconds: number;
  qr: string;
}

/** An invitation to anybody: a seat that waits. */
export interface OpenSeat {
  match: string;
  link: string;
  game: string;
  title: string;
  side: string;
  host: string;
  begun: number;
  clock: string;
}

/** One's own set-ups of the side one plays, by name, and how many counters have been placed in this match. */
export interface Setups {
  side: string;
  placed: number;
  kept: Record<string, string[]>;
}

/** How far a seat has come in the guide. */
export interface Progress {
  done: string[];
  left: boolean;
}

/** Where one is told that it is one's turn, and what the messages are signed with. */
export interface Notices {
  url: string;
  secret: string;
  possible: boolean;
}

/** A piece of advice: what to do or to fear, where, and what it would come to. Worth is in steps. */
export interface Counsel {
  kind: "attack" | "leave" | "move" | "order" | "danger" | "road" | "cut" | "reach";
  title: string;
  text: string;
  hex: string;
  arrows: [string, string][];
  orders: string[];
  column: string;
  falls: number;
  depends: number;
  unhurt: number;
  worth: number;
}

/** What the staff says, and to which version of the table. */
export interface Advice {
  version: number;
  points: Counsel[];
}

/** A column of the combat table, and what it takes to come to it. */
export interface Rung {
  column: string;
  strength: number;
  units: string[];
  falls: number;
  unhurt: number;
  air: number;
}

/** Counters against a hex in the mind. */
export interface Reckoning {
  hex: string;
  units: string[];
  column: string;
  strength: number;
  defence: string;
  modifiers: Modifier[];
  prospects: Prospects | null;
  worth: number;
  ladder: Rung[];
  ways: Rung[];
  columns: string[];
  refused: string;
  case: string;
  air: number;
  most_air: number;
  overruns: boolean;
}

/** What comes back for a question or an order, besides its own fields. */
export interface Reply {
  ok: boolean;
  code?: string;
  message?: string;
  case?: string;
}

/** Play an order. `action` makes sure that it is played once, `version` that the player saw the position it is meant for. */
export interface SayGive {
  t: "order";
  action: string;
  version: number;
  text: string;
}

/** Take orders back until `to` events are left. */
export interface SayUndo {
  t: "undo";
  action: string;
  version: number;
  to: number;
}

/** What may these units do? */
export interface SayOf {
  t: "of";
  units: string[];
}

/** Why is this order illegal? Or, without a text: why can these units not go to, or strike at, a hex? */
export interface SayWhy {
  t: "why";
  text?: string;
  units?: string[];
  hex?: string;
}

/** This attack in numbers. */
export interface SayExplain {
  t: "explain";
  text: string;
}

/** What is there to know about this hex? */
export interface SayHex {
  t: "hex";
  hex: string;
}

/** An overlay of the whole map: zoc, supply, moves, threat. */
export interface SayLayer {
  t: "layer";
  kind: string;
}

/** The table as it was after `n` events. */
export interface SayAt {
  t: "at";
  n: number;
}

/** The log from the `n`-th event on. */
export interface SayLog {
  t: "log";
  n: number;
}

/** Say something at the table. */
export interface SaySay {
  t: "say";
  text: string;
}

/** How long the computer waits between its orders, in milliseconds. */
export interface SayPace {
  t: "pace";
  wait: number;
}

/** The computer is to make up its mind. */
export interface SayNow {
  t: "now";
}

/** The curtain may be drawn: the right person is looking. */
export interface SayReady {
  t: "ready";
  side: string;
}

/** Show the others a hex. */
export interface SayPoint {
  t: "point";
  hex: string;
}

/** Set a bookmark, or remove it with an empty label. */
export interface SayBookmark {
  t: "bookmark";
  n: number;
  label: string;
}

/** Give the game up. */
export interface SayResign {
  t: "resign";
}

/** Offer to end the game as it stands, accept such an offer, or withdraw it. */
export interface SayPeace {
  t: "peace";
  offer: boolean;
}

/** Ask the other side to let orders be taken back until `to` events are left, beyond what is free. */
export interface SayAskBack {
  t: "askback";
  to: number;
}

/** Let the other side take back what it asks for, or not; whoever asked withdraws with `accept` false. */
export interface SayAnswerBack {
  t: "answerback";
  action: string;
  accept: boolean;
}

/** Everything a browser may say at a table. */
export type Said =
  | SayGive
  | SayUndo
  | SayOf
  | SayWhy
  | SayExplain
  | SayHex
  | SayLayer
  | SayAt
  | SayLog
  | SaySay
  | SayPace
  | SayNow
  | SayReady
  | SayPoint
  | SayBookmark
  | SayResign
  | SayPeace
  | SayAskBack
  | SayAnswerBack;
