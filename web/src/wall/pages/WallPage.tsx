import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { systemClock } from "@mulkko/shared/rules/clock";
import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { browserTimers } from "../../live/timers.ts";
import { ErrorBoundary } from "../../ui/feedback/error-boundary.tsx";
import { reloader } from "../months/page-reloader.ts";
import { AlarmsPage } from "./AlarmsPage.tsx";
import { OverviewPage } from "./OverviewPage.tsx";
import { ValvesPage } from "./ValvesPage.tsx";
import type { WallPageProps } from "./wall-page.ts";

/** Maps and charts come with their first turn, not with the screen. */
const PAGES: Readonly<Record<DisplayPage, ComponentType<WallPageProps>>> = {
  overview: OverviewPage,
  valves: ValvesPage,
  alarms: AlarmsPage,
  map: lazy(() => import("./MapPage.tsx")),
  trends: lazy(() => import("./TrendsPage.tsx")),
  fleet: lazy(() => import("./FleetPage.tsx")),
};

/** One page. The one before is gone with all it held, its map and charts too, before this one is drawn. */
export function WallPage({ page, lap, dim }: WallPageProps & { page: DisplayPage; dim: boolean }) {
  const Page = PAGES[page];
  return (
    <main className="wall-page" data-page={page} data-dim={dim}>
      <div className="wall-page__inner">
        <ErrorBoundary key={page} fallback={(retry) => <Failed retry={retry} />}>
          <Suspense fallback={null}>
            <Page key={page} lap={lap} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </main>
  );
}

/** How long a page that failed stands so before it is drawn once more, ms. */
const RETRY_MS = 10_000;
/** A page this old whose parts cannot be had any more is loaded anew: their files are another build's, ms. */
const RELOAD_FROM_MS = 600_000;

/** A page that cannot be drawn leaves the others standing. */
function Failed({ retry }: { retry: () => void }) {
  const { t } = useTranslation("wall");
  useEffect(
    () =>
      browserTimers.after(RETRY_MS, () => {
        if (systemClock.monotonic() > RELOAD_FROM_MS) reloader.whenServed();
        retry();
      }),
    [retry],
  );
  return <p className="wall-empty">{t("failed")}</p>;
}
