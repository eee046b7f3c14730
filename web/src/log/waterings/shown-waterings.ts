import type { Watering, WateringCause } from "@mulkko/shared/live/watering";
import { runEnd } from "../../farm/watering-words.ts";
import type { LiveFarm } from "../../live/hooks.ts";
import type { ChartMarks, WaterMark } from "../../ui/chart/chart-model.ts";
import type { LogSource } from "../sources/source.ts";
import { channelIdOf } from "../sources/use-live-reading.ts";

/**
 * The one channel that waters all of these sources; null where there is none, or several: bars that are some lines'
 * alone would be read as everyone's.
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

/** What was asked for, and over it what the live stream says of the same and of newer ones; oldest first. */
export function joinWaterings(asked: readonly Watering[], live: readonly Watering[]): Watering[] {
  const byId = new Map([...asked, ...live].map((watering) => [watering.id, watering]));
  return [...byId.values()].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

/** Bars of the chart. `now` is ms UTC. */
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

/** The watering that ran at an instant; within a bucket of `step` seconds, as short ones have no bucket alone. */
export function wateringAt(
  waterings: readonly Watering[],
  instant: number,
  step: number,
  now: number,
): Watering | undefined {
  const [from, to] = [instant * 1000, (instant + step) * 1000];
  return waterings.findLast((watering) => Date.parse(watering.start) < to && runEnd(watering, now) >= from);
}

/** The bounds that hold now: those of the automatic mode while it is in charge. */
export function boundsOf(channelId: string, { channels }: Pick<LiveFarm, "channels">): ChartMarks["bounds"] {
  const modes = channels.get(channelId)?.modes;
  if (modes?.active !== "automatic" || modes.automatic === null) return null;
  const { lowerBound: lower, upperBound: upper } = modes.automatic;
  return lower === null && upper === null ? null : { lower, upper };
}
