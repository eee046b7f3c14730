import { createToaster } from "@chakra-ui/react";
import { lazy, Suspense, useEffect, useState } from "react";
import { retried } from "../lazy/retried.ts";

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

/** ms after which the drawing of toasts is loaded without one, for the time when there is no network. */
const LOADED_AFTER_MS = 8_000;

const ToastRegion = lazy(async () => ({
  default: (await retried(() => import("./toast-region.tsx"))).ToastRegion,
}));

/** Render the toasts. Mounted once, in the provider. Their drawing is no part of the first load. */
export function Toaster() {
  const [wanted, setWanted] = useState(() => toaster.getCount() > 0);
  useEffect(() => {
    if (wanted) return;
    const timer = setTimeout(() => setWanted(true), LOADED_AFTER_MS);
    const stop = toaster.subscribe(() => setWanted(true));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [wanted]);
  return <Suspense>{wanted && <ToastRegion />}</Suspense>;
}
