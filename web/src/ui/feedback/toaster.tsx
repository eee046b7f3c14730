import { Toaster as ChakraToaster, createToaster, Portal, Toast } from "@chakra-ui/react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useSurface } from "../../theme/use-surface.ts";

const DURATION_MS = 6_000;
/** Maximum number of toasts on the screen; further ones wait. */
const MAX_TOASTS = 3;

/** Show a temporary message: `toaster.create({ type: "error", title })`. */
export const toaster = createToaster({
  placement: "bottom-end",
  max: MAX_TOASTS,
  duration: DURATION_MS,
  pauseOnPageIdle: true,
});

/** Render the toasts. Mounted once, in the provider. */
export function Toaster() {
  const { t } = useTranslation("common");
  const phone = useSurface() === "phone";
  return (
    <Portal>
      <ChakraToaster toaster={toaster} insetInline={{ mdDown: "4" }}>
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
      </ChakraToaster>
    </Portal>
  );
}
