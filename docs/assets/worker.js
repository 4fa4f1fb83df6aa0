// Browsers start no workers for pages that are opened from a folder. There, what would be a worker runs in a hidden frame,
// so that the search works without a server and without a network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inner = frame.contentWindow;
      const load = (src) =>
        new Promise((done, failed) => {
          const script = frame.contentDocument.createElement("script");
          Object.assign(script, { src, onload: done, onerror: failed });
          frame.contentDocument.body.append(script);
        });
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inner.importScripts = (...scripts) => scripts.reduce((before, src) => before.then(() => load(new URL(src, url).href)), Promise.resolve());
      const ready = load(new URL(url, location.href).href);
      this.postMessage = (data) => void ready.then(() => inner.dispatchEvent(new inner.MessageEvent("message", { data })));
      this.terminate = () => frame.remove();
      this.addEventListener("message", (event) => this.onmessage?.(event));
    }
  };
}
