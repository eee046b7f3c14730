import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import "./modal.css";

export interface ModalProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  /** `alertdialog` for a question about an irreversible action. */
  role?: "dialog" | "alertdialog";
  /** False disables closing by Escape and by a press beside it: the content is shown only once. */
  closable?: boolean;
  onClose: () => void;
}

/**
 * Browser-native dialog over the page: it keeps the focus and makes the page behind it inert. The focus
 * starts on the element with `data-first-focus`, else on the first focusable one.
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
    // The parent controls the state: it unmounts the dialog.
    event.preventDefault();
    if (closable) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard, as `cancel`
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
