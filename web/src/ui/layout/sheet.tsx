import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { useTranslation } from "../../i18n/use-translation.ts";
import { CloseIcon } from "../icon/icons.tsx";
import { IconButton } from "./icon-button.tsx";
import "./sheet.css";

export interface SheetProps {
  title: ReactNode;
  /** `end`: a panel along the far edge, full height. `top`: hangs under the header. On a phone both come from below. */
  place: "end" | "top";
  onClose: () => void;
  children: ReactNode;
}

/**
 * A panel over the page, for as long as it is drawn: the browser's own modal dialog, which keeps the focus, closes on
 * Escape and gives the focus back. A press beside it closes it, and so does every way that is taken out of it.
 */
export function Sheet({ title, place, onClose, children }: SheetProps) {
  const { t } = useTranslation("common");
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const { key } = useLocation();
  const cameFrom = useRef(key);
  useEffect(() => {
    if (cameFrom.current !== key) onClose();
  }, [key, onClose]);

  const pressedBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog, which arrives as `cancel`.
    <dialog
      ref={dialog}
      className="sheet"
      data-place={place}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={pressedBeside}
    >
      <div className="sheet__inside">
        <header className="sheet__head">
          <h2 id={heading}>{title}</h2>
          <IconButton label={t("action.close")} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </header>
        <div className="sheet__body">{children}</div>
      </div>
    </dialog>
  );
}
