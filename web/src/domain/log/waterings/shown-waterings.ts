import type { Watering, WateringCause } from "@mulkko/shared/live/watering";
import type { LiveFarm } from "../../../live/hooks.ts";
import type { ChartMarks, WaterMark } from "../../chart/chart-model.ts";
import { runEnd } from "../../watering/watering-words.ts";
import type { LogSource } from "../sources/source.ts";
import { channelIdOf } from "../sources/use-live-reading.ts";

/**
 * Return the one channel that waters all of these sources. Null for none or several: bars of some lines would
 * seem to belong to all.
 */
export function channelOf(sources: readonly LogSource[], farm: Pick<LiveFarm, "channels">): string | null {
  const found = new Set<string>();
  for (const source of sources) {
    if (source.kind === "channel") {
      found.add(channelIdOf(source, farm));
      continue;
    }
    const own = [...farm.channels].filter(([, { sensorIds }]) =>
      sensorIds.some((id) => `${id}` === source.id),
    );
    for (const [id] of own) found.add(id);
    if (own.length === 0) found.add("");
  }
  const [only, second] = found;
  return only === undefined || only === "" || second !== undefined ? null : only;
}

/** Merge loaded waterings with those of the live stream, which take precedence; oldest first. */
export function joinWaterings(asked: readonly Watering[], live: readonly Watering[]): Watering[] {
  const byId = new Map([...asked, ...live].map((watering) => [watering.id, watering]));
  return [...byId.values()].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

/** Return the bars of the chart. `now` is ms UTC. */
export function waterMarks(
  waterings: readonly Watering[],
  now: number,
  letter: (cause: WateringCause) => string,
): WaterMark[] {
  return waterings.map((watering) => ({
    from: Date.parse(watering.start) / 1000,
    to: runEnd(watering, now) / 1000,
    letter: letter(watering.cause),
  }));
}

/**
 * Return the watering at an instant, within a bucket of `step` seconds, because a watering can be shorter
 * than a bucket.
 */
export function wateringAt(
  waterings: readonly Watering[],
  instant: number,
  step: number,
  now: number,
): Watering | undefined {
  const [from, to] = [instant * 1000, (instant + step) * 1000];
  return waterings.findLast((watering) => Date.parse(watering.start) < to && runEnd(watering, now) >= from);
}

/** Return the current bounds: those of the automatic mode while it is active. */
export function boundsOf(channelId: string, { channels }: Pick<LiveFarm, "channels">): ChartMarks["bounds"] {
  const modes = channels.get(channelId)?.modes;
  if (modes?.active !== "automatic" || modes.automatic === null) return null;
  const { lowerBound: lower, upperBound: upper } = modes.automatic;
  return lower === null && upper === null ? null : { lower, upper };
}
