import type { ChannelValue, ControllerValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";

/** A channel that a sensor sits on. */
export interface Seat {
  readonly controllerId: string;
  readonly controller: string;
  readonly number: number;
}

/** Where each sensor of the account sits already; a sensor of two channels at the first of them. */
export function seatsOf(
  controllers: ReadonlyMap<string, Pick<ControllerValue, "info">>,
  channels: ReadonlyMap<string, Pick<ChannelValue, "controllerId" | "number" | "sensorIds">>,
): ReadonlyMap<string, Seat> {
  const seats = new Map<string, Seat>();
  const ordered = [...channels.values()].sort((a, b) => a.number - b.number);
  for (const { controllerId, number, sensorIds } of ordered) {
    const owner = controllers.get(`${controllerId}`);
    if (!owner) continue;
    for (const id of sensorIds) {
      if (seats.has(`${id}`)) continue;
      seats.set(`${id}`, { controllerId: `${controllerId}`, controller: deviceName(owner.info), number });
    }
  }
  return seats;
}
