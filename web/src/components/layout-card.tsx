import { lazy, Suspense } from "react";
import { useSurface } from "../theme/use-surface.ts";
import { retried } from "./lazy/retried.ts";

const LayoutSettings = lazy(() =>
  retried(async () => ({ default: (await import("./layout-settings.tsx")).LayoutSettings })),
);

/** Card with this screen's layout settings. A phone has a fixed layout: nothing is rendered there. */
export function LayoutCard() {
  if (useSurface() === "phone") return null;
  return (
    <Suspense fallback={null}>
      <LayoutSettings />
    </Suspense>
  );
}
