import { createToaster, Portal, Toast, Toaster } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { toastRecipe } from "../theme/toast-recipe.ts";
import { useSurface } from "../theme/use-surface.ts";
import { MAX_TOASTS, type ShowToasts } from "./toast.ts";

const DURATION_MS = 6_000;

const createRegion = () =>
  createToaster({ placement: "bottom-end", max: MAX_TOASTS, duration: DURATION_MS, pauseOnPageIdle: true });

/** @param onReady is given what shows toasts, once somebody would see them, and null when nobody would any more */
export function ToastRegion({ onReady }: { onReady: (show: ShowToasts | null) => void }) {
  const phone = useSurface() === "phone";
  const [toaster] = useState(createRegion);
  // The region begins to listen in an effect of its own, which runs before this one.
  useEffect(() => {
    onReady((toasts) => {
      for (const toast of toasts) toaster.create(toast);
    });
    return () => onReady(null);
  }, [onReady, toaster]);
  return (
    <Portal>
      <Toaster toaster={toaster} insetInline={{ mdDown: "4" }}>
        {(toast) => (
          <Toast.Root
            recipe={toastRecipe}
            width={phone ? "100%" : "sm"}
            marginBottom={phone ? "16" : "0"}
            // A thumb reaches what lies under a sentence that asks for nothing.
            style={{ pointerEvents: phone && !toast.action ? "none" : "auto" }}
          >
            <div style={{ flex: 1, minWidth: 0 }}>
              {toast.title && <Toast.Title>{toast.title}</Toast.Title>}
              {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
            </div>
            {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
            <Toast.CloseTrigger pointerEvents="auto" />
          </Toast.Root>
        )}
      </Toaster>
    </Portal>
  );
}
