// The map that lies on the table, fetched while the rest of the program still wakes up.

import { ahead, get } from "../net";
import { palette } from "../settings/settings";
import { geometry, rules } from "../table/state";
import type { Ground, Rules, Welcome } from "../wire";
import { Geometry } from "./geometry";

// The page says which map lies on the table: it is fetched while the rest of the program still wakes up.
const [base, ...boards] = document.querySelector<HTMLMetaElement>("meta[name=ground]")?.content.split(" ") ?? [];

if (base) {
  ahead(`${base}/map.json`);
  for (const board of boards) ahead(landOf(base, board));
}

/** Where the drawing of a board is to be had, in the colours of the page. */
export function landOf(base: string, board: string): string {
  return `${base}/map/${board}/${palette.value}.svg`;
}

export async function loadGround(w: Welcome): Promise<void> {
  const base = w.own_map ? `/api/matches/${w.match}` : `/api/games/${w.game.id}`;
  geometry.value = new Geometry(await get<Ground>(`${base}/map.json`));
  rules.value = await get<Rules>(`/api/games/${w.game.id}/rules`);
}
