// The margin of the whole map: title, scale, compass, and the key of the land.
import { geometry, rules, shown, stacks, welcome } from "../table/state";
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
      <span class="cond">
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

export function Margin() {
  const g = geometry.value;
  const w = welcome.value;
  if (!whole.value || !g || !w) return null;
  const t = shortTitle(w.game.title, w.game.id);
  const board = g.boards[0]!;
  const land = rules.value?.charts.find((c) => /terrain/i.test(c.title));
  return (
    <section class="margin" aria-label="Margin of the map">
      <div>
        <h2>{t.name}</h2>
        <p class="serif">{t.rest || w.game.scenarios[w.scenario]?.title}</p>
        <Scale km={board.km} hex={g.height} />
      </div>
      {land && (
        <ul class="legend" aria-label={land.title}>
          {land.rows.slice(0, 12).map((row) => (
            <li key={row[0]}>
              <b>{row[0]}</b> <span>{row.slice(1, 3).filter(Boolean).join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
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
  );
}
