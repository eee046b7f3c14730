import { XIcon } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { IconButton } from "../../components/icon-button.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import "./sheet.css";

export interface SheetProps {
  title: ReactNode;
  /**
   * `end`: full-height panel along the far edge. `top`: below the header. On a phone both come from below.
   */
  place: "end" | "top";
  onClose: () => void;
  children: ReactNode;
}

/**
 * Panel over the page while mounted: the browser's modal dialog, which keeps the focus, closes on Escape and
 * restores the focus. A press beside it or a link inside it closes it.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog and arrives as `cancel`
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
            <XIcon />
          </IconButton>
        </header>
        <div className="sheet__body">{children}</div>
      </div>
    </dialog>
  );
}
