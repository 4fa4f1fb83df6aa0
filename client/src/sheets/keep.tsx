// Files to take along.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { palette } from "../settings/settings";
import { OwnSetups } from "../staff/setups";
import { sheet, shown, welcome } from "../table/state";
import { download, LinkField } from "../words/pieces";

function drawingOf(): string {
  const land = document.querySelector<SVGGElement>(".world .land");
  const svg = document.querySelector<SVGSVGElement>(".world .pieces");
  if (!svg || !land) return "";
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.prepend(land.cloneNode(true));
  copy.removeAttribute("style");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.dataset.palette = palette.value;
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const root = getComputedStyle(document.documentElement);
  const tokens = ["paper", "panel", "ink", "mute", "teal", "ox", "gold", "line2"].map((t) => `--${t}:${root.getPropertyValue(`--${t}`)}`).join(";");
  const own = [...document.styleSheets].flatMap((s) => {
    try {
      return [...s.cssRules].map((r) => r.cssText).filter((t) => /\.(piece|zone|reach|supply|badge|fort|control|rings|arrows|halo|trail)|--side:|--seen:/.test(t));
    } catch {
      return [];
    }
  });
  style.textContent = `svg{${tokens}}\n${own.join("\n")}`;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

const refused = signal("");

/** Fetch a file to keep, or say why it is not to be had. */
export async function keep(path: string): Promise<void> {
  refused.value = "";
  const response = await fetch(path);
  if (!response.ok) {
    refused.value = ((await response.json()) as { message: string }).message;
    return;
  }
  const name = /filename="(.+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "ladoga.txt";
  download(name, await response.blob());
}

export function Keep() {
  const w = welcome.value!;
  useEffect(() => {
    refused.value = "";
  }, []);
  const ways: [string, string, () => unknown][] = [
    ["Save the record", "every order and every die so far; open it again from the front page, or give it to a friend", () => keep(`/api/matches/${w.match}/record`)],
    ["Save the position", "what you may know now, as a document you can read and change", () => keep(`/api/matches/${w.match}/position?n=${shown.value?.n ?? 0}`)],
    ["Save the map", "map and counters as a drawing (SVG)", () => download(`${w.game.id}-${w.match}.svg`, new Blob([drawingOf()], { type: "image/svg+xml" }))],
    [
      "Print the map",
      "or make a PDF of it",
      () => {
        sheet.value = null;
        setTimeout(print, 100);
      },
    ],
  ];
  return (
    <>
      <p>Every game is kept by itself, order by order. What you save here is for you to take along.</p>
      <ul class="ways">
        {ways.map(([label, text, act]) => (
          <li key={label}>
            <button type="button" class="btn" onClick={() => void act()}>
              {label}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {refused.value && (
        <p class="bad" role="alert">
          Not now: {refused.value}
        </p>
      )}
      <OwnSetups placing={false} />
      <p>Whoever has this address may watch:</p>
      <LinkField link={location.origin + location.pathname} label="Address of this table" />
    </>
  );
}
