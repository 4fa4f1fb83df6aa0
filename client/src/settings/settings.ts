// What somebody likes, kept by the browser.
import { computed, effect, signal } from "@preact/signals";

// Settings, kept by the browser -------------------------------------------------------------

export interface Settings {
  theme: "auto" | "classic" | "dark" | "distinct";
  text: number;
  motion: boolean;
  pace: number;
  warn: boolean;
  notify: boolean;
}

const kept = (): Partial<Settings> => {
  try {
    return JSON.parse(localStorage.getItem("ladoga") ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
};

export const settings = signal<Settings>({ theme: "auto", text: 100, motion: true, pace: 600, warn: true, notify: false, ...kept() });
export const systemDark = signal(matchMedia("(prefers-color-scheme: dark)").matches);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (e) => {
  systemDark.value = e.matches;
});

export const palette = computed(() => (settings.value.theme === "auto" ? (systemDark.value ? "dark" : "classic") : settings.value.theme));

export const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

effect(() => {
  localStorage.setItem("ladoga", JSON.stringify(settings.value));
  const root = document.documentElement;
  root.dataset.palette = palette.value;
  root.dataset.motion = settings.value.motion ? "on" : "off";
  root.style.setProperty("--text", String(settings.value.text / 100));
  root.dataset.big = String(settings.value.text > 130);
});
