// Where hexes lie, which ones touch, and the outline of a set of them.
import type { Board, Ground } from "../wire";

export interface Point {
  x: number;
  y: number;
}

interface Cell extends Point {
  board: Board;
}

export class Geometry {
  readonly height: number;
  readonly width: number;
  readonly tall: number;
  readonly boards: Board[];
  private readonly cells = new Map<string, Cell>();
  private readonly known = new Map<string, { x: number; y: number; id: string }>();

  constructor(ground: Ground) {
    this.height = ground.hex;
    this.boards = ground.boards;
    this.width = Math.max(...ground.boards.map((b) => b.frame[2]));
    this.tall = Math.max(...ground.boards.map((b) => b.frame[3]));
    for (const [number, [x, y]] of Object.entries(ground.hexes)) {
      const board = ground.boards.find((b) => x >= b.frame[0] && x <= b.frame[2]) ?? ground.boards[0]!;
      this.cells.set(number, { x, y, board });
      const gx = Math.round(x / 50);
      const gy = Math.round(y / 50);
      for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) this.remember(`${gx + dx},${gy + dy}`, number, x, y);
    }
  }

  private readonly near = new Map<string, [string, number, number][]>();

  private remember(at: string, number: string, x: number, y: number): void {
    const list = this.near.get(at);
    if (list) list.push([number, x, y]);
    else this.near.set(at, [[number, x, y]]);
  }

  has(number: string): boolean {
    return this.cells.has(number);
  }

  get numbers(): string[] {
    return [...this.cells.keys()];
  }

  centre(number: string): Point | undefined {
    return this.cells.get(number);
  }

  board(number: string): Board | undefined {
    return this.cells.get(number)?.board;
  }

  /** The hex at a point of the map, if any. */
  at(x: number, y: number): string | undefined {
    let best: string | undefined;
    let least = (this.height * 0.58) ** 2;
    for (const [number, cx, cy] of this.near.get(`${Math.round(x / 50)},${Math.round(y / 50)}`) ?? []) {
      const d = (cx - x) ** 2 + (cy - y) ** 2;
      if (d < least) {
        least = d;
        best = number;
      }
    }
    return best;
  }

  /** Corners of a hex, `shrink` units inside its edge. */
  corners(number: string, shrink = 0): Point[] {
    const cell = this.cells.get(number);
    if (!cell) return [];
    const radius = (this.height / 2 - shrink) / Math.cos(Math.PI / 6);
    const turn = cell.board.shape === "flat" ? 0 : 30;
    return [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = ((60 * i + turn) * Math.PI) / 180;
      return { x: cell.x + radius * Math.cos(angle), y: cell.y + radius * Math.sin(angle) };
    });
  }

  polygon(number: string, shrink = 0): string {
    return this.corners(number, shrink)
      .map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`)
      .join(" ");
  }

  /** The hex across each edge; edge `i` runs from corner `i` to corner `i + 1`. */
  neighbours(number: string): (string | undefined)[] {
    const cell = this.cells.get(number);
    if (!cell) return [];
    const turn = cell.board.shape === "flat" ? 30 : 60;
    return [0, 1, 2, 3, 4, 5].map((i) => {
      const angle = ((60 * i + turn) * Math.PI) / 180;
      const x = cell.x + this.height * Math.cos(angle);
      const y = cell.y + this.height * Math.sin(angle);
      const found = this.at(x, y);
      const there = found ? this.cells.get(found) : undefined;
      return there && (there.x - x) ** 2 + (there.y - y) ** 2 < 100 ? found : undefined;
    });
  }

  /** How many hexes from one to another, as the crow flies over the grid. */
  distance(from: string, to: string): number {
    const a = this.cells.get(from);
    const b = this.cells.get(to);
    if (!a || !b) return 0;
    const flat = a.board.shape === "flat";
    const side = this.height * Math.sqrt(0.75);
    const across = Math.abs(flat ? b.x - a.x : b.y - a.y) / side;
    const along = Math.abs(flat ? b.y - a.y : b.x - a.x) / this.height;
    return Math.round(across + Math.max(0, along - across / 2));
  }

  /** The next hex in a direction of the screen, for the arrow keys. */
  step(number: string, dx: number, dy: number): string | undefined {
    const cell = this.cells.get(number);
    if (!cell) return undefined;
    let best: string | undefined;
    let most = 0.2;
    const length = Math.hypot(dx, dy);
    for (const other of this.neighbours(number)) {
      if (!other) continue;
      const there = this.cells.get(other)!;
      const cosine = ((there.x - cell.x) * dx + (there.y - cell.y) * dy) / (this.height * length);
      if (cosine > most + 0.01) {
        most = cosine;
        best = other;
      }
    }
    return best;
  }

  /** One name for a corner, whichever of its hexes it was worked out from. */
  private corner(x: number, y: number): string {
    const gx = Math.round(x / 20);
    const gy = Math.round(y / 20);
    for (const dx of [0, -1, 1])
      for (const dy of [0, -1, 1]) {
        const there = this.known.get(`${gx + dx},${gy + dy}`);
        if (there && (there.x - x) ** 2 + (there.y - y) ** 2 < 16) return there.id;
      }
    const id = `${gx},${gy}`;
    this.known.set(id, { x, y, id });
    return id;
  }

  /** The edge of a set of hexes as an SVG path of closed rings. */
  contour(numbers: Iterable<string>): string {
    const set = new Set(numbers);
    const edges = new Map<string, [Point, Point][]>();
    for (const number of set) {
      const corners = this.corners(number);
      this.neighbours(number).forEach((other, i) => {
        if (other && set.has(other)) return;
        const a = corners[i];
        const b = corners[(i + 1) % 6];
        if (!a || !b) return;
        const at = this.corner(a.x, a.y);
        const list = edges.get(at);
        if (list) list.push([a, b]);
        else edges.set(at, [[a, b]]);
      });
    }
    let path = "";
    while (edges.size) {
      let at = edges.keys().next().value as string;
      let first = true;
      for (let list = edges.get(at); list?.length; list = edges.get(at)) {
        const [a, b] = list.pop()!;
        if (!list.length) edges.delete(at);
        path += `${first ? "M" : "L"}${a.x.toFixed(1)} ${a.y.toFixed(1)}`;
        first = false;
        at = this.corner(b.x, b.y);
      }
      path += "Z";
    }
    return path;
  }
}
