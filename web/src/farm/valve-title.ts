import type { ChannelValue } from "@mulkko/shared/live/devices";
import { valveName } from "@mulkko/shared/rules/valve-name";
import type { LiveFarm } from "../live/hooks.ts";

/** Return what a channel is called (NAME-1), by what the account's state says of its sensors and its controller. */
export function channelName(
  { name, sensorIds, controllerId, serial }: ChannelValue,
  { sensors, controllers }: Pick<LiveFarm, "sensors" | "controllers">,
): string {
  const box = `${controllerId}`;
  return valveName({
    name,
    sensors: sensorIds.flatMap((id) => sensors.get(`${id}`)?.info ?? []),
    controller: controllers.get(box)?.info ?? sensors.get(box)?.info ?? { serial },
  });
}

/** A channel's name beside that of its controller; null where they are the same. */
export const nameInBox = (box: { name: string }, channel: { name: string }): string | null =>
  channel.name === box.name ? null : channel.name;
