import type { ModeLack } from "@mulkko/shared/live/devices";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";

/** What is to come of a channel: when it waters, ms UTC, or what the mode in charge lacks to water at all. */
export type NextWatering =
  | { readonly kind: "at"; readonly start: number }
  | { readonly kind: "lacks"; readonly lack: ModeLack };

/** What is to come, by channel; nothing of a channel of which nobody can tell, and what runs already is not to come. */
export type NextWaterings = ReadonlyMap<string, NextWatering>;

export const NOTHING_KNOWN: NextWaterings = new Map();

/** @param preview its plans stand in the order of their begins */
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

/** When water runs next on any of these, ms UTC; null where nobody can tell. What should have begun is not next. */
export function earliestOf(next: NextWaterings, channels: Iterable<string>, now: number): number | null {
  let earliest: number | null = null;
  for (const id of channels) {
    const coming = next.get(id);
    if (coming?.kind !== "at" || coming.start < now) continue;
    if (earliest === null || coming.start < earliest) earliest = coming.start;
  }
  return earliest;
}
