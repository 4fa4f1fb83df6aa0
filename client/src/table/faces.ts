// The faces of counters, drawn by the server and fetched in batches.
import { signal } from "@preact/signals";
import { post } from "../net";
import { palette } from "../settings/settings";
import type { Counter } from "../wire";

const faceCache = new Map<string, string>();
export const faces = signal(0);
const wanted = new Map<string, Counter>();
let fetching = false;

export const faceKey = (c: Counter): string =>
  [palette.value, c.id, c.side, c.symbol, c.size, c.name, c.formation, c.figures, c.steps, c.full_steps, c.colour, c.face_down].join("|");

/** The drawing of a counter's face; fetched in batches, drawn by the server's one drawing code. */
export function face(c: Counter): string | undefined {
  const k = faceKey(c);
  const found = faceCache.get(k);
  if (found === undefined && !wanted.has(k)) {
    wanted.set(k, c);
    if (!fetching) {
      fetching = true;
      queueMicrotask(() => void fetchFaces());
    }
  }
  return found;
}

async function fetchFaces(): Promise<void> {
  const batchOf = [...wanted.entries()].slice(0, 400);
  try {
    const plain = batchOf.map(([, c]) => ({ ...c, hex: "", box: "", states: [] }));
    const drawn = await post<string[]>(`/api/faces/${palette.value}`, plain);
    batchOf.forEach(([k], i) => faceCache.set(k, drawn[i] ?? ""));
  } catch {
    await new Promise((r) => setTimeout(r, 1500));
  }
  for (const [k] of batchOf) wanted.delete(k);
  faces.value++;
  if (wanted.size) void fetchFaces();
  else fetching = false;
}
