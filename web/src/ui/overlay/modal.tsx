import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import "./modal.css";

export interface ModalProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, at the foot. */
  actions?: ReactNode;
  /** Interrupts: something is asked that cannot be undone. */
  role?: "dialog" | "alertdialog";
  /** False keeps Escape and a press beside it from closing it: what it shows comes only once. */
  closable?: boolean;
  onClose: () => void;
}

/**
 * A dialog over the page, of the browser's own kind: it keeps the focus, and the page behind it is inert. The focus
 * begins on what has `data-first-focus`, else on the first thing that takes it.
 */
export function Modal(props: ModalProps) {
  const { open, title, children, actions, role = "dialog", closable = true, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    const before = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [open]);
  if (!open) return null;
  const cancel = (event: SyntheticEvent) => {
    // The page decides: whoever draws it takes it away.
    event.preventDefault();
    if (closable) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which is `cancel`
    <dialog
      ref={dialog}
      className="modal"
      role={role === "alertdialog" ? role : undefined}
      aria-labelledby={heading}
      onCancel={cancel}
      onClick={(event) => {
        if (closable && event.target === dialog.current) onClose();
      }}
    >
      <div className="modal__box">
        <h2 className="modal__title" id={heading}>
          {title}
        </h2>
        <div className="modal__body">{children}</div>
        {actions && <div className="modal__actions">{actions}</div>}
      </div>
    </dialog>
  );
}
