import { EllipsisIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "../../components/icon-button.tsx";
import "./overflow-menu.css";

export interface MenuAction {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** True for an irreversible action: red. */
  readonly danger?: boolean;
  readonly onChoose: () => void;
}

interface OverflowMenuProps {
  /** Accessible name: the object of the actions. */
  label: string;
  actions: readonly MenuAction[];
}

/** Return the visible height above fixed elements, CSS px from the top of the window. */
const freeHeight = (): number =>
  document.querySelector(".bottom-nav")?.getBoundingClientRect().top ?? window.innerHeight;

/** Three-dot menu of rarely used actions. */
export function OverflowMenu({ label, actions }: OverflowMenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

  // At the end of a page the user cannot scroll the menu clear of fixed elements.
  useLayoutEffect(() => {
    if (!open || !list.current) return;
    const { bottom } = list.current.getBoundingClientRect();
    list.current.dataset.opens = bottom > freeHeight() ? "up" : "down";
  }, [open]);
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);

  const press = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item.contains(document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      setOpen(false);
      trigger.current?.focus();
    }
  };

  return (
    <div className="overflow-menu" ref={box}>
      <IconButton
        ref={trigger}
        label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <EllipsisIcon />
      </IconButton>
      {open && (
        <div
          className="overflow-menu__list"
          ref={list}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={press}
        >
          {actions.map((action) => (
            <button
              key={action.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-danger={action.danger || undefined}
              onClick={() => {
                setOpen(false);
                trigger.current?.focus();
                action.onChoose();
              }}
            >
              {action.icon}
              {action.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
