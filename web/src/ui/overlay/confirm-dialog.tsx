import { Button } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { ErrorNote } from "../../components/alerts.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { Modal } from "./modal.tsx";

export interface ConfirmDialogProps {
  open: boolean;
  title: ReactNode;
  /** The consequences of the action. */
  body?: ReactNode;
  confirmLabel: string;
  /** Default: "Cancel". */
  cancelLabel?: string;
  /** True for an irreversible action: red. */
  danger?: boolean;
  busy?: boolean;
  /** True while confirming is not possible. */
  disabled?: boolean;
  /** Why the action failed; the dialog stays open. */
  error?: string | null;
  /** Another way to continue after the failure, below its reason. */
  remedy?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Ask before an irreversible action; the focus starts on cancelling. */
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
      {error && props.remedy}
    </Modal>
  );
}
