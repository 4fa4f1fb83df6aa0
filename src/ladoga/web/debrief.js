// The keys of a debrief: left and right walk the turns, Enter shows the position, 1 to 6 the turning points.
(() => {
  const curve = document.querySelector("svg.curve");
  const turns = [...document.querySelectorAll("svg.curve [data-turn]")];
  const pins = [...document.querySelectorAll("[data-pin]")];
  const image = document.querySelector(".scene img");
  const words = document.querySelector(".scene figcaption");
  const told = document.querySelector("output.at");
  const hair = curve && curve.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
  if (hair) hair.setAttribute("class", "hair");
  // A page that is no server's carries its record once; its links bring it to the table.
  const record = document.querySelector("meta[name=record]")?.content ?? "";
  for (const link of document.querySelectorAll('a[href$="record="]')) link.href += record;
  for (const turn of turns) if (turn.dataset.show?.endsWith("record=")) turn.dataset.show += record;
  let at = -1;
  const walk = (i) => {
    if (!turns.length) return;
    at = Math.max(0, Math.min(turns.length - 1, i));
    const t = turns[at].dataset;
    hair.setAttribute("d", `M${t.x} ${t.top}V${t.foot}`);
    told.textContent = `Turn ${t.turn}: ${t.score}, ${t.level}`;
  };
  const show = (i) => {
    const pin = pins[i];
    if (!pin) return;
    for (const other of pins) other.closest("li").classList.toggle("here", other === pin);
    if (image) image.src = pin.dataset.pin;
    if (words) words.textContent = `${i + 1}: ${pin.closest("li").querySelector("b").textContent}`;
    pin.closest("li").scrollIntoView({ block: "nearest" });
  };
  for (const [i, rect] of turns.entries()) {
    rect.addEventListener("pointerenter", () => walk(i));
    rect.addEventListener("click", () => rect.dataset.show && location.assign(rect.dataset.show));
  }
  for (const [i, pin] of pins.entries())
    pin.addEventListener("click", (event) => {
      event.preventDefault();
      show(i);
    });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    if (event.key === "ArrowRight") walk(at + 1);
    else if (event.key === "ArrowLeft") walk(at < 0 ? turns.length - 1 : at - 1);
    else if (event.key === "Enter" && at >= 0 && !event.target.closest("a, button") && turns[at].dataset.show) location.assign(turns[at].dataset.show);
    else if (/^[1-9]$/.test(event.key)) show(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
})();
