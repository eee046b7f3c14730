import { lazy, Suspense } from "react";
import { loadWords } from "../i18n/words.ts";
import { useSurface } from "../theme/use-surface.ts";
import { retried } from "../ui/lazy/retried.ts";

const LayoutSettings = lazy(() =>
  retried(async () => {
    const [{ LayoutSettings: Settings }] = await Promise.all([
      import("./layout-settings.tsx"),
      loadWords(["layout"]),
    ]);
    return { default: Settings };
  }),
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
