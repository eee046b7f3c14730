import { type ComponentType, createElement, type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Skeleton } from "../feedback/skeleton.tsx";
import { useLoaded } from "./use-loaded.ts";
import "./lazy-popover.css";

/** What stands in the popover. `onClose` puts the focus back on the button. */
export type PopoverBody = ComponentType<{ onClose: () => void }>;

/** For the button that opens it. */
export interface PopoverButtonProps {
  "aria-haspopup": "dialog";
  "aria-expanded": boolean;
  "aria-controls": string | undefined;
  onClick: () => void;
}

export interface LazyPopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What it is, for those who do not see where it hangs. */
  label: string;
  /** Class of the panel, for its width. */
  className: string;
  /** Fetches what stands in it: begun as soon as somebody reaches for the button. Stays the same function. */
  load: () => Promise<PopoverBody>;
  button: (props: PopoverButtonProps) => ReactNode;
}

/**
 * A button of the header with a panel that hangs under it, at the page's end. Closed by Escape, by a press beside it
 * and by moving the focus on. The panel hangs from the nearest positioned ancestor, which in the frame is the header.
 */
export function LazyPopover({ open, onOpenChange, label, className, load, button }: LazyPopoverProps) {
  const id = useId();
  const whole = useRef<HTMLDivElement>(null);
  const close = () => {
    onOpenChange(false);
    whole.current?.querySelector("button")?.focus();
  };
  useEffect(() => {
    if (!open) return;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) onOpenChange(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [open, onOpenChange]);
  // What it will need is on its way before the press is over; a failure shows when the panel asks for it.
  const reach = () => void load().catch(() => undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from anywhere within; nothing here is pressed
    <div
      ref={whole}
      className="lazy-popover"
      onPointerEnter={reach}
      onFocus={reach}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      {button({
        "aria-haspopup": "dialog",
        "aria-expanded": open,
        "aria-controls": open ? id : undefined,
        onClick: () => onOpenChange(!open),
      })}
      {open && <Panel id={id} label={label} className={className} load={load} onClose={close} />}
    </div>
  );
}

interface PanelProps extends Pick<LazyPopoverProps, "label" | "className" | "load"> {
  id: string;
  onClose: () => void;
}

function Panel({ id, label, className, load, onClose }: PanelProps) {
  const { t } = useTranslation("common");
  const panel = useRef<HTMLDivElement>(null);
  const body = useLoaded(load);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      ref={panel}
      id={id}
      className={`lazy-popover__panel ${className}`}
      role="dialog"
      aria-label={label}
      aria-busy={body.state === "loading"}
      data-state="open"
      tabIndex={-1}
    >
      {body.state === "there" && createElement(body.value, { onClose })}
      {body.state === "failed" && <ErrorNote>{t("error.network")}</ErrorNote>}
      {body.state === "loading" && (
        <div className="lazy-popover__loading">
          <Skeleton height="2.5rem" />
          <Skeleton height="2.5rem" />
        </div>
      )}
    </div>
  );
}
