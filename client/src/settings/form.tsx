// The form of the settings.

import { ask } from "../table/line";
import { change, settings } from "./settings";
import "./settings.css";

export function SettingsForm() {
  const s = settings.value;
  return (
    <div class="settings">
      <fieldset>
        <legend>Colours</legend>
        {(["auto", "classic", "dark", "distinct"] as const).map((t) => (
          <label key={t}>
            <input type="radio" name="theme" checked={s.theme === t} onChange={() => change({ theme: t })} /> {t === "auto" ? "as the system" : t}
          </label>
        ))}
      </fieldset>
      <label>
        Text size in panels, {s.text} %
        <input type="range" min={100} max={200} step={10} value={s.text} onInput={(e) => change({ text: Number(e.currentTarget.value) })} />
      </label>
      <label>
        Pause between the computer's orders, {(s.pace / 1000).toFixed(2)} s
        <input
          type="range"
          min={0}
          max={2000}
          step={50}
          value={s.pace}
          onInput={(e) => {
            change({ pace: Number(e.currentTarget.value) });
            void ask({ t: "pace", wait: settings.value.pace });
          }}
        />
      </label>
      <label>
        <input type="checkbox" checked={s.motion} onChange={(e) => change({ motion: e.currentTarget.checked })} /> Animate moves
      </label>
      {"Notification" in window && (
        <label>
          <input
            type="checkbox"
            checked={s.notify}
            onChange={(e) => {
              const on = e.currentTarget.checked;
              if (!on || Notification.permission === "granted") change({ notify: on });
              else void Notification.requestPermission().then((said) => change({ notify: said === "granted" }));
            }}
          />{" "}
          Tell me when it is my turn and I look elsewhere
        </label>
      )}
      <label>
        <input type="checkbox" checked={s.warn} onChange={(e) => change({ warn: e.currentTarget.checked })} /> Warn before a phase ends with units that have not moved
      </label>
    </div>
  );
}
