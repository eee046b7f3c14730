import { type ComponentType, createElement, type ReactNode, useEffect, useId, useRef } from "react";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLoaded } from "./use-loaded.ts";
import "./lazy-popover.css";

/** Content of the popover. `onClose` returns the focus to the button. */
export type PopoverBody = ComponentType<{ onClose: () => void }>;

/** Props of the button that opens it. */
export interface PopoverButtonProps {
  "aria-haspopup": "dialog";
  "aria-expanded": boolean;
  "aria-controls": string | undefined;
  onClick: () => void;
}

export interface LazyPopoverProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name. */
  label: string;
  /** Class of the panel; sets its width. */
  className: string;
  /** Load the content, as soon as the user approaches the button. Must be a stable function. */
  load: () => Promise<PopoverBody>;
  button: (props: PopoverButtonProps) => ReactNode;
}

/**
 * Header button with a panel below it, at the page's end. Closes on Escape, on a press beside it and when the
 * focus leaves. The panel is positioned in the nearest positioned ancestor: in the frame, the header.
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
  // Start loading before the press ends. A failure shows when the panel requests the content.
  const reach = () => void load().catch(() => undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Escape from any child; not interactive itself
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
