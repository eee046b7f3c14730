import type { ChannelValue } from "@mulkko/shared/live/devices";

/** Return the range in which a sensor's soil should stay: the thresholds of its active automatic mode, %. */
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
