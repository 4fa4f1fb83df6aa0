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
  ["[ and ]", "one event back and on; \\ back to now"],
  ["R Z S T E Y X H", "layers: reach, zones, supply, threat, last moves, control, numbers, counters"],
  ["+ − 0", "zoom in, out, whole map; F the front"],
  ["C B O V P D", "charts, order of battle, beside the map, victory, people, dice"],
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
