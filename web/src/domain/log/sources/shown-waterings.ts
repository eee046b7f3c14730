import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { Watering, WateringCause } from "@mulkko/shared/live/watering";
import type { LiveFarm } from "../../../live/hooks.ts";
import type { ChartMarks, WaterMark } from "../../chart/chart-model.ts";
import { channelName } from "../../valve/valve-title.ts";
import { runEnd } from "../../watering/watering-texts.ts";
import type { LogSource } from "./source.ts";

/** Return true if a channel waters a source, or is the source itself. */
const waters = ({ controllerId, number, sensorIds }: ChannelValue, source: LogSource): boolean =>
  source.kind === "channel"
    ? source.id === `${controllerId}` && source.number === number
    : sensorIds.some((id) => `${id}` === source.id);

/**
 * Return the one channel that waters all of these sources. Null for none or several: bars of some lines would
 * seem to belong to all.
 */
export function channelOf(sources: readonly LogSource[], farm: Pick<LiveFarm, "channels">): string | null {
  const found = new Set(
    sources.flatMap((source) => {
      const own = [...farm.channels].flatMap(([id, channel]) => (waters(channel, source) ? [id] : []));
      return own.length === 0 ? [""] : own;
    }),
  );
  const [only, second] = found;
  return only === undefined || only === "" || second !== undefined ? null : only;
}

/** Merge loaded waterings with those of the live stream, which take precedence; oldest first. */
export function joinWaterings(asked: readonly Watering[], live: readonly Watering[]): Watering[] {
  const byId = new Map([...asked, ...live].map((watering) => [watering.id, watering]));
  return [...byId.values()].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

/** Return the waterings that run at some time of a range, ms. `now` is ms UTC. */
export const wateringsIn = (
  waterings: readonly Watering[],
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): Watering[] =>
  waterings.filter((watering) => Date.parse(watering.start) < to && runEnd(watering, now) > from);

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

/** Return all channels that water these sources, or that are sources themselves, with their names (NAME-1). */
export function channelsOf(
  sources: readonly LogSource[],
  farm: Pick<LiveFarm, "channels" | "controllers" | "sensors">,
): { id: string; name: string; number: number }[] {
  return [...farm.channels]
    .filter(([, channel]) => sources.some((source) => waters(channel, source)))
    .map(([id, channel]) => ({ id, name: channelName(channel, farm), number: channel.number }));
}
