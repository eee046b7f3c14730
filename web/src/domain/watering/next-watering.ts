import type { ModeLack } from "@mulkko/shared/entities/modes";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";

/** Next watering of a channel, ms UTC, or what the active mode still needs. */
export type NextWatering =
  | { readonly kind: "at"; readonly start: number }
  | { readonly kind: "lacks"; readonly lack: ModeLack };

/** Next waterings by channel. Channels without a known time and running waterings are absent. */
export type NextWaterings = ReadonlyMap<string, NextWatering>;

export const NOTHING_KNOWN: NextWaterings = new Map();

/** @param preview its plans are ordered by their starts */
export function nextOfChannels({
  planned,
  untimed,
}: Pick<WateringPreview, "planned" | "untimed">): NextWaterings {
  const next = new Map<string, NextWatering>();
  for (const { channelId, lack } of untimed) {
    if (lack !== null) next.set(channelId, { kind: "lacks", lack });
  }
  for (const { channelId, kind, start } of planned) {
    if (kind !== "running" && !next.has(channelId))
      next.set(channelId, { kind: "at", start: Date.parse(start) });
  }
  return next;
}

/** Return the next start on any of these channels, ms UTC; null if unknown. Overdue starts do not count. */
export function earliestOf(next: NextWaterings, channels: Iterable<string>, now: number): number | null {
  let earliest: number | null = null;
  for (const id of channels) {
    const coming = next.get(id);
    if (coming?.kind !== "at" || coming.start < now) continue;
    if (earliest === null || coming.start < earliest) earliest = coming.start;
  }
  return earliest;
}
