// The keys, and the orders that can be typed.

import { welcome } from "../table/state";

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
  ["[ and ]", "one event back and on (a step of the enemy turn while its digest is open); \\ back to now"],
  ["R Z S T E I Q Y X H", "layers: reach, zones, supply, threat, trails of the enemy turn, command and fire, ruler, control, numbers, counters"],
  ["+ − 0", "zoom in, out, the whole map and back; F the front"],
  ["J", "go to the lit hexes beyond the edge"],
  ["L M", "layers; the key and the tables"],
  ["C B O V P D", "charts, order of battle, off-map units, victory, players, dice"],
  ["?", "rules"],
  ["K", "these keys"],
];

export function Keys() {
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
