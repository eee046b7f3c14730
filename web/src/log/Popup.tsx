import { Box } from "@chakra-ui/react";
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
        <Box
          position={{ base: "fixed", md: "absolute" }}
          zIndex={{ base: "popover", md: "dropdown" }}
          top="calc(100% + 0.375rem)"
          insetInlineEnd="0"
          w={{ base: "auto", md: "max-content" }}
          maxW={{ base: "none", md: "min(26rem, calc(100vw - 2rem))" }}
          p="4"
          borderWidth="1px"
          borderColor="border.strong"
          rounded={{ base: "1rem 1rem 0 0", md: "card" }}
          bg="bg.panel"
          color="fg"
          boxShadow="0 6px 24px rgb(0 0 0 / 0.16)"
          inset={{ mdDown: "auto 0 0" }}
          maxH={{ mdDown: "85vh" }}
          pb={{ mdDown: "calc(1rem + env(safe-area-inset-bottom))" }}
          overflowY={{ mdDown: "auto" }}
          role="dialog"
          aria-label={label}
          ref={panel}
        >
          {children}
        </Box>
      )}
    </span>
  );
}
