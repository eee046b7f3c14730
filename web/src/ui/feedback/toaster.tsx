import { createToaster, Portal, Toast, Toaster as ToasterRegion } from "@chakra-ui/react";
import { useSurface } from "../theme/use-surface.ts";

/** Most toasts seen at once; the oldest leaves. Anything that matters longer stands in the activity list. */
const MAX_TOASTS = 3;

const DURATION_MS = 6_000;

/** Shows a sentence for a moment: `toaster.create({ type: "error", title })`. */
export const toaster = createToaster({
  placement: "bottom-end",
  max: MAX_TOASTS,
  duration: DURATION_MS,
  pauseOnPageIdle: true,
});

/** Where toasts appear; stands once, in the provider. */
export function Toaster() {
  const phone = useSurface() === "phone";
  return (
    <Portal>
      <ToasterRegion toaster={toaster} insetInline={{ mdDown: "4" }}>
        {(toast) => (
          <Toast.Root width={phone ? "100%" : "sm"} marginBottom={phone ? "16" : "0"}>
            <div style={{ flex: 1, minWidth: 0 }}>
              {toast.title && <Toast.Title>{toast.title}</Toast.Title>}
              {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
            </div>
            {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
            <Toast.CloseTrigger />
          </Toast.Root>
        )}
      </ToasterRegion>
    </Portal>
  );
}
