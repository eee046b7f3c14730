import { lazy, Suspense } from "react";
import { Navigate, useSearchParams } from "react-router-dom";
import { SensorsPage } from "../features/sensors/SensorsPage.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";

const SensorLogPage = lazy(async () => {
  const { SensorLogPage: Page } = await import("../features/sensor-log/SensorLogPage.tsx");
  return { default: Page };
});

/** `/sensors/type`: with an `id` one sensor's log, with a `deviceType` its category, with neither the whole list. */
export function SensorTypeRoute() {
  const [params] = useSearchParams();
  const id = params.get("id");
  if (id) {
    return (
      <Suspense fallback={<Skeleton height="20rem" />}>
        <SensorLogPage key={id} id={id} />
      </Suspense>
    );
  }
  return params.has("deviceType") ? <SensorsPage /> : <Navigate to="/sensors" replace />;
}
