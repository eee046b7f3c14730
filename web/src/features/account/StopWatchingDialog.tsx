import { Button, Dialog, Portal } from "@chakra-ui/react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

export interface StopWatchingDialogProps {
  open: boolean;
  /** The next sign-in makes the farm watched again, by itself. */
  signsIn: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what is lost before the relay stops watching; the focus begins on the way back. */
export function StopWatchingDialog({ open, signsIn, onConfirm, onClose }: StopWatchingDialogProps) {
  const { t } = useTranslation(["account", "common"]);
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root
      role="alertdialog"
      open={open}
      onOpenChange={({ open: stays }) => !stays && onClose()}
      placement="center"
      size="xs"
      initialFocusEl={() => cancel.current}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header pb="2">
              <Dialog.Title>{t("watch.confirm.title")}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body className="account__watch">
              <p>{t("watch.confirm.body")}</p>
              <p>{t(signsIn ? "watch.confirm.untilSignIn" : "watch.confirm.untilStart")}</p>
            </Dialog.Body>
            <Dialog.Footer>
              <Button ref={cancel} variant="outline" onClick={onClose}>
                {t("common:action.cancel")}
              </Button>
              <Button colorPalette="red" onClick={onConfirm}>
                {t("watch.confirm.stop")}
              </Button>
            </Dialog.Footer>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}
