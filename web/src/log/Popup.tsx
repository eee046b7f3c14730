import { type ReactNode, useEffect, useRef } from "react";
import "./popup.css";

export interface PopupProps {
  /** Accessible name. */
  label: string;
  open: boolean;
  onClose: () => void;
  /** Button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
}

/**
 * Small panel beside its button, at the bottom of the screen on a phone. Escape and a click outside close it.
 * Its first field gets the focus, which returns to the button afterwards.
 */
export function Popup({ label, open, onClose, trigger, children }: PopupProps) {
  const root = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const popup = root.current;
    if (!open || !popup) return;
    const before = document.activeElement;
    panel.current?.querySelector<HTMLElement>("input, [aria-pressed=true], button")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !popup.contains(event.target)) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close.current();
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("keydown", onKey);
      // Leave the focus alone if a click has moved it elsewhere.
      const lost = document.activeElement === document.body || popup.contains(document.activeElement);
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
