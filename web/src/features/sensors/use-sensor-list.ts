import { drawnQuality, type Quality } from "@mulkko/shared/rules/quality";
import { useCallback } from "react";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { type ListedSensor, listSensors, sameList } from "./model.ts";

const SENSORS = ["sensor.listing"] as const;
const FARMS = ["farm.listing"] as const;
const CONTROLLERS = ["controller.listing", "sensor.listing"] as const;

const farmsIn = ({ farms }: LiveFarm) => new Map(farms);
const sameFarms = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
  a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);

/** Count things with valves as `count troubled`, text that makes a selection comparable. */
function countControllers({ controllers, sensors }: LiveFarm, links: Quality): string {
  const units = [
    ...controllers.values(),
    ...[...sensors.values()].filter(({ info }) => info.deviceType === "COT"),
  ];
  return `${units.length} ${units.filter((unit) => drawnQuality(unit, links) !== "fresh").length}`;
}

/**
 * Return the content of the page: sensors, farms and the number of controllers. Readings do not change it.
 */
export function useSensorList(): {
  sensors: readonly ListedSensor[];
  farms: LiveFarm["farms"];
  controllers: { count: number; troubled: number };
} {
  const links = useLinkQuality();
  const sensors = useLiveSelection(
    SENSORS,
    useCallback((live: LiveFarm) => listSensors(live.sensors, links), [links]),
    sameList,
  );
  const farms = useLiveSelection(FARMS, useCallback(farmsIn, []), sameFarms);
  const units = useLiveSelection(
    CONTROLLERS,
    useCallback((live: LiveFarm) => countControllers(live, links), [links]),
  );
  const [count = 0, troubled = 0] = units.split(" ").map(Number);
  return { sensors, farms, controllers: { count, troubled } };
}
