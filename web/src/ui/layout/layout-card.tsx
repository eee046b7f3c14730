import { lazy, Suspense } from "react";
import { loadWords } from "../../i18n/words.ts";
import { retried } from "../lazy/retried.ts";
import { useSurface } from "../theme/use-surface.ts";

const LayoutSettings = lazy(() =>
  retried(async () => {
    const [{ LayoutSettings: Settings }] = await Promise.all([
      import("./layout-settings.tsx"),
      loadWords(["layout"]),
    ]);
    return { default: Settings };
  }),
);

/**
 * How the frame around every page stands on this screen, as a card of its own. A phone has no side menu and no room to
 * choose from: nothing is drawn there.
 */
export function LayoutCard() {
  if (useSurface() === "phone") return null;
  return (
    <Suspense fallback={null}>
      <LayoutSettings />
    </Suspense>
  );
}
