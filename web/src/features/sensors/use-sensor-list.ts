import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type ListedSensor, listSensors, sameList } from "./model.ts";

const SENSORS = ["sensor.listing"] as const;
const FARMS = ["farm.listing"] as const;
const CONTROLLERS = ["controller.listing", "sensor.listing"] as const;

const farmsIn = ({ farms }: LiveFarm) => new Map(farms);
const sameFarms = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
  a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);

/** How many things with valves there are, as `count troubled`, which a selection can compare. */
function countControllers({ controllers, sensors }: LiveFarm): string {
  const boxes = [
    ...controllers.values(),
    ...[...sensors.values()].filter(({ info }) => info.deviceType === "COT"),
  ];
  return `${boxes.length} ${boxes.filter(({ quality }) => quality !== "fresh").length}`;
}

/** What the page is made of: sensors, farms, and how many controllers. Readings do not move it. */
export function useSensorList(): {
  sensors: readonly ListedSensor[];
  farms: LiveFarm["farms"];
  controllers: { count: number; troubled: number };
} {
  const sensors = useLiveSelection(
    SENSORS,
    useCallback((live: LiveFarm) => listSensors(live.sensors), []),
    sameList,
  );
  const farms = useLiveSelection(FARMS, useCallback(farmsIn, []), sameFarms);
  const boxes = useLiveSelection(CONTROLLERS, useCallback(countControllers, []));
  const [count = 0, troubled = 0] = boxes.split(" ").map(Number);
  return { sensors, farms, controllers: { count, troubled } };
}
