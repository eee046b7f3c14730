import { Portal, Toast, Toaster } from "@chakra-ui/react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { toaster } from "./toaster.tsx";

/** The toasts on the screen. */
export function ToastRegion() {
  const { t } = useTranslation("common");
  const phone = useSurface() === "phone";
  return (
    <Portal>
      <Toaster toaster={toaster} insetInline={{ mdDown: "4" }}>
        {(toast) => (
          <Toast.Root
            width={phone ? "100%" : "sm"}
            marginBottom={phone ? "16" : "0"}
            // Let touches pass through a toast without an action.
            style={{ pointerEvents: phone && !toast.action ? "none" : "auto" }}
          >
            <div style={{ flex: 1, minWidth: 0 }}>
              {toast.title && <Toast.Title>{toast.title}</Toast.Title>}
              {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
            </div>
            {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
            <Toast.CloseTrigger aria-label={t("action.close")} pointerEvents="auto" />
          </Toast.Root>
        )}
      </Toaster>
    </Portal>
  );
}
