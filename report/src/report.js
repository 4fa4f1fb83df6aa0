// Draws the figures of a report from the values that the page carries; without it the tables are still there.
import * as Plot from "@observablehq/plot";

const data = JSON.parse(document.getElementById("values").textContent);
const [first, second] = data.sides ?? [];
const style = { fontFamily: "Inter, system-ui, sans-serif", fontSize: "12px", background: "none" };
const put = (id, drawn) => document.getElementById(id)?.append(drawn);
const wide = Math.min(880, document.querySelector("main").clientWidth);

function margins() {
  const zero = Plot.ruleX([0], { stroke: "#8a7f68", strokeDasharray: "3 3" });
  put("histogram", Plot.plot({
    style, width: wide, height: 240, marginLeft: 44,
    x: { label: `${second.title} ahead ← final margin → ${first.title} ahead` }, y: { label: "Games", grid: true },
    marks: [
      Plot.rectY(data.games, Plot.binX({ y: "count" }, { x: "margin", fill: (g) => g.colour, insetLeft: 1, insetRight: 1, tip: true })),
      zero, Plot.ruleY([0]),
    ],
  }));
}

function course() {
  const tip = (t) => `Turn ${t.turn}\nmedian ${t.middle}\neight of ten: ${t.low} to ${t.high}\nthe median game: ${t.game ?? "over"}`;
  put("course", Plot.plot({
    style, width: wide, height: 260, marginLeft: 44,
    x: { label: "Turn", tickFormat: "d", ticks: data.turns.length }, y: { label: `How far ${first.title} is ahead`, grid: true },
    marks: [
      Plot.areaY(data.turns, { x: "turn", y1: "low", y2: "high", fill: "#1c5a61", fillOpacity: 0.14 }),
      Plot.ruleY([0], { stroke: "#8a7f68" }),
      Plot.line(data.turns, { x: "turn", y: "middle", stroke: "#1c5a61", strokeWidth: 2.5 }),
      Plot.line(data.turns.filter((t) => t.game !== null), { x: "turn", y: "game", stroke: "#b07d1c", strokeWidth: 1.5, strokeDasharray: "5 4" }),
      Plot.tip(data.turns, Plot.pointerX({ x: "turn", y: "middle", title: tip })),
    ],
  }));
}

function strength() {
  put("strength", Plot.plot({
    style, width: wide, height: 240, marginLeft: 44,
    x: { label: "Turn", tickFormat: "d", ticks: data.turns.length }, y: { label: "Units on the map, mean", grid: true, zero: true },
    marks: [
      ...data.sides.map((side) => Plot.line(data.units.filter((u) => u.side === side.id), { x: "turn", y: "units", stroke: side.colour, strokeWidth: 2.5 })),
      Plot.tip(data.units, Plot.pointer({ x: "turn", y: "units", title: (u) => `${u.title}, turn ${u.turn}: ${u.units}` })),
    ],
  }));
}

// The map: one layer at a time over the drawn land, a turn at a time or all together.
function mixed(share) {
  const to = share >= 0.5 ? first.rgb : second.rgb;
  return { fill: `rgb(${to})`, opacity: 0.12 + 0.6 * Math.abs(2 * share - 1) };
}

function map() {
  const chooser = document.getElementById("layer");
  const slider = document.getElementById("turn");
  const told = document.getElementById("when");
  if (!chooser || !slider) return;
  const cells = [...document.querySelectorAll("polygon[data-hex]")];
  const show = () => {
    const layer = data.layers[chooser.value];
    const turn = data.turns[slider.value - 1].turn;
    const values = layer.turns[turn] ?? {};
    const most = layer.most || 1;
    told.textContent = `${layer.title}, end of turn ${turn}`;
    for (const cell of cells) {
      const value = values[cell.dataset.hex];
      const look = value === undefined ? { fill: "none", opacity: 0 } : layer.share ? mixed(value) : { fill: "#8a2c18", opacity: 0.15 + 0.7 * Math.sqrt(value / most) };
      cell.style.fill = look.fill;
      cell.style.fillOpacity = look.opacity;
      const figure = value === undefined ? "nothing" : layer.share ? `${first.title} in ${Math.round(100 * value)} % of games` : `${value.toFixed(2)} a game`;
      cell.firstElementChild.textContent = `${cell.dataset.name}: ${figure}`;
    }
  };
  chooser.addEventListener("input", show);
  slider.addEventListener("input", show);
  show();
}

// Which judgements matter: both ends of each range as bars from what is shipped, the greatest swing on top.
function tornado({ figure, unit, rows }, which) {
  const label = (r) => `${r.title}\n${rows.some((o) => o.end === "low") ? `${r.end} end: ` : ""}${r.said}\n${r.change > 0 ? "+" : ""}${r.change}${unit} in ${r.pairs} pairs${r.low === null ? "" : `\nbetween ${r.low} and ${r.high}`}`;
  const titles = [...new Set(rows.map((r) => r.title))];
  const small = wide < 560;
  put(`tornado-${which}`, Plot.plot({
    style, width: wide, height: 50 + titles.length * (small ? 48 : 34), marginTop: small ? 22 : 10, marginLeft: small ? 6 : 270, marginRight: 24,
    x: { label: `Change of ${figure}${unit && ", in points of a hundred"}`, grid: true, labelAnchor: "center" },
    y: { domain: rows.some((r) => r.end === "low") ? ["low", "high"] : ["high"], axis: null, padding: 0.06 },
    fy: { domain: titles, label: null, axis: null, padding: small ? 0.42 : 0.26 },
    color: { domain: ["low", "high"], range: ["#b07d1c", "#1c5a61"], legend: rows.some((r) => r.end === "low"), tickFormat: (end) => `${end} end of the range` },
    marks: [
      Plot.barX(rows, { x1: 0, x2: "change", y: "end", fy: "title", fill: "end", fillOpacity: (r) => (r.sure ? 1 : 0.4) }),
      Plot.ruleY(rows.filter((r) => r.low !== null), { x1: "low", x2: "high", y: "end", fy: "title", stroke: "#26231d", strokeOpacity: 0.6 }),
      Plot.ruleX([0], { stroke: "#26231d" }),
      Plot.text(titles, {
        fy: (t) => t, text: (t) => t, lineWidth: small ? 60 : 21, lineHeight: 1.05, frameAnchor: small ? "top-left" : "left", textAnchor: small ? "start" : "end", fill: "#26231d",
        dx: small ? 0 : -8, dy: small ? -13 : 0,
      }),
      Plot.tip(rows, Plot.pointer({ x: "change", y: "end", fy: "title", title: label })),
    ],
  }));
}

if (data.tornados) data.tornados.forEach(tornado);
else margins();
if (data.turns?.length) {
  course();
  strength();
  map();
}
