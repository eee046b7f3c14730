import type { ChannelValue } from "@mulkko/shared/live/devices";
import { valveName } from "@mulkko/shared/rules/valve-name";
import type { LiveFarm } from "../../live/hooks.ts";

/** Return the name of a channel (NAME-1), from its sensors and its controller. */
export function channelName(
  { name, sensorIds, controllerId, serial }: ChannelValue,
  { sensors, controllers }: Pick<LiveFarm, "sensors" | "controllers">,
): string {
  const unit = `${controllerId}`;
  return valveName({
    name,
    sensors: sensorIds.flatMap((id) => sensors.get(`${id}`)?.info ?? []),
    controller: controllers.get(unit)?.info ?? sensors.get(unit)?.info ?? { serial },
  });
}

/** Return a channel's name beside its controller's; null if both are the same. */
export const nameInUnit = (unit: { name: string }, channel: { name: string }): string | null =>
  channel.name === unit.name ? null : channel.name;
