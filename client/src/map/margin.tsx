// The margin of the whole map: title, scale, compass, and the key of the land.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../net";
import { palette } from "../settings/settings";
import { geometry, shown, stacks, welcome } from "../table/state";
import type { Sample } from "../wire";
import { shortTitle } from "../words/text";
import { overview, whole } from "./view";

function Scale({ km, hex }: { km: number; hex: number }) {
  const width = hex * overview.value.k;
  const step = width < 30 ? 3 : width < 60 ? 2 : 1;
  return (
    <div class="scale">
      <i style={{ width: `${4 * step * width}px` }} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </i>
      <span class="cond" style={{ width: `${4 * step * width}px` }}>
        {[0, 1, 2, 3, 4].map((n) => (
          <b key={n}>
            {Math.round(n * step * km)}
            {n === 4 ? " km" : ""}
          </b>
        ))}
      </span>
    </div>
  );
}

const samples = signal<Sample[]>([]);

export function Margin() {
  const g = geometry.value;
  const w = welcome.value;
  useEffect(() => {
    if (whole.value && w && !samples.value.length) void get<Sample[]>(`/api/games/${w.game.id}/key`).then((found) => (samples.value = found));
  }, [whole.value]);
  if (!whole.value || !g || !w) return null;
  const t = shortTitle(w.game.title, w.game.id);
  const board = g.boards[0]!;
  const { x, y, k } = overview.value;
  return (
    <>
      {g.boards.map((b) => (
        <div
          key={b.name}
          class="neatline"
          aria-hidden="true"
          style={{
            left: `${x + k * b.frame[0] - 9}px`,
            top: `${y + k * b.frame[1] - 9}px`,
            width: `${k * (b.frame[2] - b.frame[0]) + 18}px`,
            height: `${k * (b.frame[3] - b.frame[1]) + 18}px`,
          }}
        />
      ))}
      <section class="margin" aria-label="Margin of the map">
        <div>
          <h2>{t.name}</h2>
          <p class="serif">{t.rest || w.game.scenarios[w.scenario]?.title}</p>
          <Scale km={board.km} hex={g.height} />
        </div>
        <ul class={`legend ladoga-map ${palette.value}`} aria-label="Key of the land" tabIndex={0}>
          {samples.value.map((s) => (
            <li key={s.name}>
              <svg viewBox="-36 -33 72 66" aria-hidden="true" dangerouslySetInnerHTML={{ __html: s.drawing }} />
              <span>
                <b>{s.name}</b> <small>{s.text}</small>
              </span>
            </li>
          ))}
        </ul>
        <div class="compass">
          <svg viewBox="-20 -20 40 40" width="62" height="62" role="img" aria-label="Compass" style={{ transform: `rotate(${board.north}deg)` }}>
            <circle r="17" />
            <path d="M0-15 4 0H-4z" class="tip" />
            <path d="M0 15 4 0H-4z" />
            <text y="-15.5">N</text>
          </svg>
          <small>
            a hex is {board.km} km · {stacks.value.size} stacks · turn {shown.value?.turn}
          </small>
        </div>
      </section>
    </>
  );
}
