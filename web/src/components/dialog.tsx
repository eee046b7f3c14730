import { Button, Dialog, Portal } from "@chakra-ui/react";
import { dialogSlotRecipe } from "@chakra-ui/react/theme";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { changedRecipe, PANEL } from "../theme/recipe.ts";
import { ErrorNote } from "./alerts.tsx";

const DIALOG = changedRecipe(dialogSlotRecipe, {
  base: {
    backdrop: PANEL,
    content: { ...PANEL, borderColor: "border", width: "calc(100% - 2rem)", textStyle: "none" },
    header: { px: "5", pt: "5", pb: "0" },
    title: { textStyle: "title" },
    body: { display: "grid", gap: "3.5", minW: "0", px: "5", py: "4" },
    footer: {
      flexWrap: "wrap",
      px: "5",
      pt: "0",
      pb: "5",
      "[data-surface=phone] &": { "& > *": { flex: "1" } },
    },
  },
});

interface ModalProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  /** `alertdialog` for a question about an irreversible action. */
  role?: "dialog" | "alertdialog";
  /** False disables closing by Escape and by a press beside it: the content is shown only once. */
  closable?: boolean;
  /** Element for the focus to start on. */
  initialFocus?: () => HTMLElement | null;
  onClose: () => void;
}

/**
 * Dialog over the page. The focus starts on the element with `data-autofocus`, else on the first focusable
 * one.
 */
export function Modal(props: ModalProps) {
  const { open, title, children, actions, role = "dialog", closable = true, initialFocus, onClose } = props;
  if (!open) return null;
  return (
    <Dialog.Root
      recipe={DIALOG}
      open
      role={role}
      placement="center"
      scrollBehavior="outside"
      closeOnEscape={closable}
      closeOnInteractOutside={closable}
      {...(initialFocus && { initialFocusEl: initialFocus })}
      // A dialog that closes as this one opens returns the focus to the page: that is no press beside it.
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={() => onClose()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content maxW="26rem">
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>{children}</Dialog.Body>
            {actions && <Dialog.Footer>{actions}</Dialog.Footer>}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

interface ConfirmDialogProps {
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
  return (
    <Modal
      open={open}
      role="alertdialog"
      title={title}
      closable={!busy}
      onClose={props.onClose}
      actions={
        <>
          <Button data-autofocus variant="outline" disabled={busy} onClick={props.onClose}>
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
