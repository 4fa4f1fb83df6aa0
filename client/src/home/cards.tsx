// The six games as cards.
import { useEffect, useRef } from "preact/hooks";
import { palette } from "../settings/settings";
import { shortTitle } from "../words/text";
import { choose, chosen, games } from "./choice";

const drawings = new Map<string, Promise<string>>();

/** A detail of a game's map; in a root of its own, because every map uses the same names inside. */
function Picture({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const url = `/api/games/${id}/card/${palette.value}.svg`;
  useEffect(() => {
    let dropped = false;
    if (!drawings.has(url))
      drawings.set(
        url,
        fetch(url).then((r) => r.text()),
      );
    void drawings.get(url)!.then((drawing) => {
      if (!box.current || dropped) return;
      const root = box.current.shadowRoot ?? box.current.attachShadow({ mode: "open" });
      root.innerHTML = `<style>svg{display:block;width:100%;height:100%}</style>${drawing}`;
    });
    return () => {
      dropped = true;
    };
  }, [url]);
  return <div class="picture" ref={box} aria-hidden="true" />;
}

export function Cards() {
  return (
    <div class="games" role="radiogroup" aria-label="Games">
      {games.value.map((g) => {
        const t = shortTitle(g.title, g.id);
        const first = Object.values(g.scenarios)[0];
        const km = g.km;
        const { card } = g;
        const said = `${card.name || t.name}, ${card.year || t.year}. ${first?.turns ?? g.turns} turns, ${card.hours.replace("–", " to ").replace(" h", " hours")}, weight ${card.weight} of 4.`;
        return (
          <button
            type="button"
            key={g.id}
            class={`game${chosen.value === g.id ? " on" : ""}`}
            role="radio"
            aria-checked={chosen.value === g.id}
            aria-label={card.hours ? said : undefined}
            onClick={() => choose(g.id)}
          >
            <Picture id={g.id} />
            <span class="words">
              <span class="name">
                {card.name || t.name} <i>{card.year || t.year}</i>
              </span>
              <span class="text">{card.text || first?.text || t.rest}</span>
              <span class="meta">
                <span>{first?.turns ?? g.turns} turns</span>
                {card.hours ? <span>{card.hours}</span> : km ? <span>{km < 1 ? `${Math.round(km * 1000)} m` : `${km} km`} a hex</span> : null}
                {Object.keys(g.scenarios).length > 1 && <span>{Object.keys(g.scenarios).length} scenarios</span>}
                {card.weight > 0 && (
                  <span class="dots" aria-hidden="true">
                    {[1, 2, 3, 4].map((n) => (
                      <i key={n} class={n <= card.weight ? "full" : ""} />
                    ))}
                  </span>
                )}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}
