import type { ChannelValue } from "@mulkko/shared/live/devices";

/** Between which values the soil of a sensor is to stay: what the automatic mode in charge of it waters by, %. */
export function desiredBand(
  channels: ReadonlyMap<string, ChannelValue>,
  sensorId: string,
  field: string,
): { low: number; high: number } | null {
  if (field !== "moisture") return null;
  for (const { modes, sensorIds } of channels.values()) {
    if (modes?.active !== "automatic" || !sensorIds.some((id) => `${id}` === sensorId)) continue;
    const { lowerBound, upperBound } = modes.automatic ?? {};
    if (typeof lowerBound === "number" && typeof upperBound === "number" && upperBound > lowerBound) {
      return { low: lowerBound, high: upperBound };
    }
  }
  return null;
}
