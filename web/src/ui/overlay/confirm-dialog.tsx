import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Modal } from "./modal.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  title: ReactNode;
  /** What is lost, and what is not. */
  body?: ReactNode;
  confirmLabel: string;
  /** "Cancel" without it. */
  cancelLabel?: string;
  /** It cannot be undone: red. */
  danger?: boolean;
  busy?: boolean;
  /** Not to be confirmed yet. */
  disabled?: boolean;
  /** Why it did not work; the question stays. */
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone; the focus begins on the way back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, body, confirmLabel, cancelLabel, danger = false, busy = false, error } = props;
  const { t } = useTranslation("common");
  const close = () => {
    if (!busy) props.onClose();
  };
  return (
    <Modal
      open={open}
      role="alertdialog"
      title={title}
      onClose={close}
      actions={
        <>
          <Button data-first-focus variant="outline" disabled={busy} onClick={close}>
            {cancelLabel ?? t("action.cancel")}
          </Button>
          <Button
            {...(danger ? { colorPalette: "red" } : {})}
            loading={busy}
            disabled={props.disabled ?? false}
            onClick={props.onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {body}
      {error && <ErrorNote>{error}</ErrorNote>}
    </Modal>
  );
}
