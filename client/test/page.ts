import { vi } from "vitest";

/** What modules ask of a page when they are loaded. */
export function stubPage(): void {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("innerWidth", 1400);
  vi.stubGlobal("document", {
    documentElement: { dataset: {}, style: { setProperty: () => undefined } },
    querySelector: () => null,
    addEventListener: () => undefined,
  });
}
