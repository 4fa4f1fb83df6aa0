// A sheet laid over the table.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { sheet } from "../table/state";
import "./sheets.css";

export function Sheet({ title, wide, children, onClose }: { title: string; wide?: boolean; children: ComponentChildren; onClose?: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const d = box.current;
    if (d && !d.open) d.showModal();
    return () => d?.close();
  }, []);
  const close = (): void => {
    sheet.value = null;
    onClose?.();
  };
  return (
    <dialog
      ref={box}
      class={`sheet${wide ? " wide" : ""}`}
      aria-label={title}
      onClose={close}
      onClick={(e) => {
        if (e.target === box.current) close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="btn" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </header>
      <div class="body" tabIndex={0}>
        {children}
      </div>
    </dialog>
  );
}
