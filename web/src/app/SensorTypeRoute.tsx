import { lazy, Suspense } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { retried } from "../components/lazy/retried.ts";
import { Skeleton } from "../components/skeleton.tsx";
import { idsOf } from "../features/sensor-log/sources-of.ts";
import { SensorsPage } from "../features/sensors/SensorsPage.tsx";

const SensorLogPage = lazy(async () => {
  const { SensorLogPage: Page } = await retried(() => import("../features/sensor-log/SensorLogPage.tsx"));
  return { default: Page };
});

/**
 * Select the page of `/sensors/type`: with an `id` one sensor's log, with `ids` a comparison, with a
 * `deviceType` its category, otherwise the whole list.
 */
export function SensorTypeRoute() {
  const [params] = useSearchParams();
  const ids = idsOf(params);
  if (ids.length > 0) {
    return (
      <Suspense fallback={<Skeleton height="20rem" />}>
        <SensorLogPage key={ids.join()} ids={ids} />
      </Suspense>
    );
  }
  return params.has("deviceType") ? <SensorsPage /> : <Navigate to="/sensors" replace />;
}
