import { Button } from "@chakra-ui/react";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { ErrorBoundary } from "../../components/error-boundary.tsx";
import { retried } from "../../components/lazy/retried.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import type { ChartViewProps } from "./chart-view.tsx";

/** The charting library is 55 kB: load it with the first chart, not with the first page. */
const ChartView = lazy(() => retried(() => import("./chart-view.tsx")));

/** Draw a chart and load its library on first use. Show a note if the library cannot be loaded. */
export function Chart(props: ChartViewProps) {
  const { t } = useTranslation("common");
  return (
    <ErrorBoundary
      fallback={() => (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={() => location.reload()}>
              {t("action.reload")}
            </Button>
          }
        >
          {t("chart.failed")}
        </ErrorNote>
      )}
    >
      <Suspense fallback={<Skeleton height={`${props.height}px`} />}>
        <ChartView {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
