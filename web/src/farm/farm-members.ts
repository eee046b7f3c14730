import type { ControllerValue, FarmValue } from "@mulkko/shared/live/devices";
import { sensorIdsOfBox } from "./farm-groups.ts";
import type { ValveBox } from "./valve-boxes.ts";

/** The address's word for what is on no farm. */
export const NO_FARM = "none";

interface Places {
  readonly farms: ReadonlyMap<string, FarmValue>;
  readonly controllers: ReadonlyMap<string, ControllerValue>;
}

/** The farms that things are on, as the relay counts them: what is closed with a farm is what is shown on it. */
export interface FarmMembers {
  /** None for a box on no farm. */
  ofBox(box: ValveBox): readonly string[];
  ofSensor(sensorId: string): readonly string[];
}

/**
 * A controller is on the farm that it names; without one it is on those of its channels' sensors, and a COT sensor
 * on its own.
 */
export function farmMembers({ farms, controllers }: Places): FarmMembers {
  const farmsOfSensor = new Map<string, string[]>();
  for (const [id, { info }] of farms) {
    for (const sensor of info.sensorIds.map(String)) {
      const known = farmsOfSensor.get(sensor);
      if (known) known.push(id);
      else farmsOfSensor.set(sensor, [id]);
    }
  }
  const ofSensor = (id: string): readonly string[] => farmsOfSensor.get(id) ?? [];
  return {
    ofSensor,
    ofBox(box) {
      const named = controllers.get(box.id)?.info.clusterId ?? 0;
      // A farm that is not there any more is no farm.
      if (`${named}` !== "0") return farms.has(`${named}`) ? [`${named}`] : [];
      return [...new Set(sensorIdsOfBox(box).flatMap(ofSensor))];
    },
  };
}
