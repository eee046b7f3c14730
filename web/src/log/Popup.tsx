import { type ReactNode, useEffect, useRef } from "react";
import "./popup.css";

export interface PopupProps {
  /** What it is for, said to those who do not see where it came from. */
  label: string;
  open: boolean;
  onClose: () => void;
  /** The button that it belongs to. */
  trigger: ReactNode;
  children: ReactNode;
}

/**
 * A small panel beside its button; a phone shows it at the foot of the screen. Closes by Escape and by a press
 * outside. The first field in it gets the focus, and the button gets it back.
 */
export function Popup({ label, open, onClose, trigger, children }: PopupProps) {
  const root = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const box = root.current;
    if (!open || !box) return;
    const before = document.activeElement;
    panel.current?.querySelector<HTMLElement>("input, [aria-pressed=true], button")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.contains(event.target)) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close.current();
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("keydown", onKey);
      // Whoever pressed elsewhere is there already.
      const lost = document.activeElement === document.body || box.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);
  return (
    <span className="popup" ref={root}>
      {trigger}
      {open && (
        <div className="popup__panel" role="dialog" aria-label={label} ref={panel}>
          {children}
        </div>
      )}
    </span>
  );
}
