import type { LiveFarm } from "../../../live/hooks.ts";
import { channelName } from "../../valve/valve-title.ts";
import type { LogSource } from "../sources/source.ts";

/** Channel to which a source is assigned. */
export interface SourceChannel {
  readonly id: string;
  /** The valve's name (NAME-1). */
  readonly name: string;
  readonly number: number;
}

/** Return all channels that water these sources, or that are sources themselves. */
export function channelsOf(
  sources: readonly LogSource[],
  farm: Pick<LiveFarm, "channels" | "controllers" | "sensors">,
): SourceChannel[] {
  const found: SourceChannel[] = [];
  for (const [id, channel] of farm.channels) {
    const { controllerId, number, sensorIds } = channel;
    const isMeant = sources.some((source) =>
      source.kind === "channel"
        ? source.id === `${controllerId}` && source.number === number
        : sensorIds.some((sensorId) => `${sensorId}` === source.id),
    );
    if (!isMeant) continue;
    found.push({ id, name: channelName(channel, farm), number });
  }
  return found;
}

export function sameChannels(a: readonly SourceChannel[], b: readonly SourceChannel[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, name, number }, index) => {
      const other = b[index];
      return other?.id === id && other.name === name && other.number === number;
    })
  );
}
