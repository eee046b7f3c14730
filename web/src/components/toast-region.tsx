import { createToaster, Portal, Toast, Toaster } from "@chakra-ui/react";
import { toastSlotRecipe } from "@chakra-ui/react/theme";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { changedRecipe } from "../theme/recipe.ts";
import { useSurface } from "../theme/use-surface.ts";
import { MAX_TOASTS, type ShowToasts } from "./toast.ts";

const TOAST = changedRecipe(toastSlotRecipe, {
  base: {
    root: {
      borderWidth: "1px",
      borderInlineStartWidth: "4px",
      borderColor: "border.strong",
      boxShadow: "lg",
      "--toast-trigger-bg": "colors.bg.sunk",
      pe: "12",
      "&[data-type=warning]": { bg: "alarm.p2.tint", color: "fg", borderColor: "alarm.p2.fg" },
      "&[data-type=error]": { bg: "alarm.p1.tint", color: "fg", borderColor: "alarm.p1.fg" },
      "&[data-type=success]": { bg: "bg.panel", color: "fg" },
    },
    closeTrigger: { minW: "11", minH: "11", top: "0", insetEnd: "0" },
    description: { opacity: "1", color: "fg.muted" },
  },
});

const DURATION_MS = 6_000;

const createRegion = () =>
  createToaster({ placement: "bottom-end", max: MAX_TOASTS, duration: DURATION_MS, pauseOnPageIdle: true });

/**
 * @param onReady called with the function that shows toasts once the region is mounted, and with null on
 * unmount
 */
export function ToastRegion({ onReady }: { onReady: (show: ShowToasts | null) => void }) {
  const { t } = useTranslation("common");
  const phone = useSurface() === "phone";
  const [toaster] = useState(createRegion);
  // The region subscribes in its own effect, which runs before this one.
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
            recipe={TOAST}
            width={phone ? "100%" : "sm"}
            marginBottom={phone ? "var(--bar-bottom)" : "0"}
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
