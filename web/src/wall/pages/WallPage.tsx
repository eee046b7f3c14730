import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ErrorBoundary } from "../../components/error-boundary.tsx";
import { reloader } from "../kiosk/page-reloader.ts";
import type { WallPageProps } from "../wall-context.ts";
import { AlarmsPage } from "./AlarmsPage.tsx";
import { OverviewPage } from "./OverviewPage.tsx";
import { ValvesPage } from "./ValvesPage.tsx";

/** Load maps and charts with their first turn, not with the screen. */
const PAGES: Readonly<Record<DisplayPage, ComponentType<WallPageProps>>> = {
  overview: OverviewPage,
  valves: ValvesPage,
  alarms: AlarmsPage,
  map: lazy(() => import("./MapPage.tsx")),
  trends: lazy(() => import("./TrendsPage.tsx")),
  fleet: lazy(() => import("./FleetPage.tsx")),
};

/** Render one page. The previous one is unmounted with its map and charts before this one mounts. */
export function WallPage({ page, lap, dim }: WallPageProps & { page: DisplayPage; dim: boolean }) {
  const Page = PAGES[page];
  return (
    <main className="wall-page" data-testid="wall-page" data-page={page} data-dim={dim}>
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

/** Delay before a failed page is rendered again, ms. */
const RETRY_MS = 10_000;
/** Age from which a page with unloadable parts is reloaded, ms: their files belong to another build. */
const RELOAD_FROM_MS = 600_000;

/** Contain a failed page: the others stay. */
function Failed({ retry }: { retry: () => void }) {
  const { t } = useTranslation("wall");
  useEffect(() => {
    const timer = systemTimers.after(RETRY_MS, () => {
      if (systemClock.monotonic() > RELOAD_FROM_MS) reloader.whenServed();
      retry();
    });
    return () => timer.cancel();
  }, [retry]);
  return (
    <p className="wall-empty" data-testid="wall-empty">
      {t("failed")}
    </p>
  );
}
