import type { ChannelValue, ControllerValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";

/** Channel to which a sensor is assigned. */
export interface Assignment {
  readonly controllerId: string;
  readonly controller: string;
  readonly number: number;
}

/**
 * Return the current channel of each sensor of the account; the first one for a sensor of several channels.
 */
export function assignmentsOf(
  controllers: ReadonlyMap<string, Pick<ControllerValue, "info">>,
  channels: ReadonlyMap<string, Pick<ChannelValue, "controllerId" | "number" | "sensorIds">>,
): ReadonlyMap<string, Assignment> {
  const assignments = new Map<string, Assignment>();
  const ordered = [...channels.values()].sort((a, b) => a.number - b.number);
  for (const { controllerId, number, sensorIds } of ordered) {
    const owner = controllers.get(`${controllerId}`);
    if (!owner) continue;
    for (const id of sensorIds) {
      if (assignments.has(`${id}`)) continue;
      assignments.set(`${id}`, {
        controllerId: `${controllerId}`,
        controller: deviceName(owner.info),
        number,
      });
    }
  }
  return assignments;
}
