import { deviceName } from "@mulkko/shared/rules/device-name";
import type { LiveFarm } from "../../live/hooks.ts";
import type { LogSource } from "../sources/source.ts";

/** A channel on which a source sits. */
export interface SourceChannel {
  readonly id: string;
  /** The controller or COT sensor. */
  readonly box: string;
  readonly number: number;
}

/** All channels that water these sources, or that they are. */
export function channelsOf(
  sources: readonly LogSource[],
  { channels, controllers, sensors }: Pick<LiveFarm, "channels" | "controllers" | "sensors">,
): SourceChannel[] {
  const found: SourceChannel[] = [];
  for (const [id, { controllerId, number, sensorIds }] of channels) {
    const isMeant = sources.some((source) =>
      source.kind === "channel"
        ? source.id === `${controllerId}` && source.number === number
        : sensorIds.some((sensorId) => `${sensorId}` === source.id),
    );
    if (!isMeant) continue;
    const info = controllers.get(`${controllerId}`)?.info ?? sensors.get(`${controllerId}`)?.info;
    found.push({ id, box: info ? deviceName(info) : "", number });
  }
  return found;
}

export function sameChannels(a: readonly SourceChannel[], b: readonly SourceChannel[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, box, number }, index) => {
      const other = b[index];
      return other?.id === id && other.box === box && other.number === number;
    })
  );
}
