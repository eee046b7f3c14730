import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { valveCode } from "@mulkko/shared/rules/valve";
import type { AccountApi, CotRow } from "../../upstream/account-api.ts";
import { apiInstant } from "../../upstream/api-instant.ts";
import { NoAccessError, UpstreamStatusError } from "../../upstream/errors.ts";
import type { DeviceHandler } from "../device-handler.ts";
import type { AccountValues } from "../farm-index.ts";
import { isRegular } from "../log-rhythm.ts";
import { type ChannelState, loggedChannel, polledChannel } from "../normalise-channel.ts";
import type { ListedChannel } from "../normalise-lists.ts";
import type { PresenceWatch } from "../presence-watch.ts";
import { channelInterval, listInterval, type Pace, type PollIntervals } from "./poll-pacing.ts";
import type { PollUnit } from "./poll-units.ts";

export interface ChannelUnitsDeps {
  readonly api: AccountApi;
  readonly handler: DeviceHandler;
  readonly watch: PresenceWatch;
  readonly state: Pick<AccountValues, "get">;
  readonly clock: Clock;
  readonly zone: ApiTimeZone;
  readonly pace: (key: string) => Pace;
  readonly intervals: PollIntervals;
  /**
   * Called for a controller whose last report the API does not state: its channels' logs are read (ONL-1).
   */
  readonly onSilentController: (deviceKey: string) => void;
  /** Called when a poll shows a movement of a valve: its controller's log has a new row then, or soon. */
  readonly onMovement: (deviceKey: string) => void;
  readonly onNews: (news: boolean) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Number of rows whose times show if a log is regular. */
const KNOWN_ROWS = 10;
/** ms after which a row of an irregular log no longer shows that its controller is alive. */
const MOVED_MS = 15 * MINUTE;
/** ms of COT log that are searched for the newest row. */
const COT_LOG_MS = 26 * HOUR;

/** Delay before a `refresh` that was 404 is retried, ms; the log is read meanwhile. */
const MISSING_MS = 10 * MINUTE;

export const moistureUnit = (channelKey: string): string => `moisture:${channelKey}`;

/** Return the poll units of a channel: its state, named by its key, and on a controller its moisture. */
export function channelUnits(channel: ListedChannel, deps: ChannelUnitsDeps): PollUnit[] {
  const { api, handler, state, clock, zone, intervals } = deps;
  const { key, place, apiId, kind } = channel;
  /** The API answers 404 to `refresh` of this channel: monotonic ms of the next attempt. */
  let missingUntil = 0;
  const isBusy = (): boolean => {
    const value = state.get(key);
    return value?.onoff === 1 || (value?.command ?? null) !== null || (value?.runUntil ?? null) !== null;
  };
  const hasMode = (): boolean => {
    const modes = state.get(key)?.modes;
    return typeof modes === "object" && modes !== null && "active" in modes && modes.active !== "none";
  };
  const newestRow = async (askedAt: number, asking: { urgent: boolean }): Promise<CotRow | undefined> => {
    const { start, end } = logRange(zone, askedAt, state.get(key)?.heardAt);
    return newest(await api.cotLog(place.controllerId, place.number, start, end, asking));
  };
  const fromLog = async (askedAt: number, asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const row = await newestRow(askedAt, asking);
    if (row === undefined) return null;
    const { createdDate, moisture = null, valve } = row;
    return loggedChannel({ createdDate, moisture, valve: valveCode(valve) }, askedAt, zone);
  };
  const readState = async (asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const askedAt = clock.now();
    const isMissing = clock.monotonic() < missingUntil && !(kind === "controller" && isBusy());
    if (place.serial === null || isMissing) return fromLog(askedAt, asking);
    try {
      return polledChannel(await api.refresh(place.serial, apiId, asking), askedAt, zone);
    } catch (error) {
      if (error instanceof UpstreamStatusError && error.status === 404) {
        missingUntil = clock.monotonic() + MISSING_MS;
        if (kind === "cot") return fromLog(askedAt, asking);
      }
      throw error;
    }
  };
  const interval = (): number =>
    channelInterval(deps.pace(key), { busy: isBusy(), mode: hasMode() }, intervals);
  const units: PollUnit[] = [
    {
      name: key,
      interval,
      stretches: () => !isBusy(),
      urgent: isBusy,
      async ask(asking) {
        const reported = await readState(asking);
        if (reported === null) return;
        const before = state.get(key)?.onoff;
        deps.onNews(handler.channel(key, reported));
        if (kind === "controller" && reported.report.heardAt === null) {
          deps.onSilentController(channel.deviceKey);
          if (state.get(key)?.onoff !== before) deps.onMovement(channel.deviceKey);
        }
      },
      failed(error) {
        if (error instanceof NoAccessError) deps.watch.cannotTell(channel.deviceKey);
        else deps.watch.failed(channel.deviceKey);
      },
    },
  ];
  const moistureOf = async (asking: { urgent: boolean }): Promise<number | null> =>
    kind === "controller"
      ? api.moisture(apiId, asking)
      : ((await newestRow(clock.now(), asking))?.moisture ?? null);
  units.push({
    name: moistureUnit(key),
    interval: () => (kind === "controller" ? interval() : listInterval("list", deps.pace(key), intervals)),
    stretches: () => !isBusy(),
    urgent: () => false,
    ask: async (asking) => handler.moisture(key, await moistureOf(asking)),
  });
  return units;
}

/**
 * Poll a controller's last report from a plain API: the newest row of its channels' COT logs, else unknown
 * (ONL-1).
 */
export function controllerLogUnit(
  deviceKey: string,
  channels: () => readonly ListedChannel[],
  deps: ChannelUnitsDeps,
  interval: () => number,
): PollUnit {
  const { api, clock, zone, handler, watch } = deps;
  let known: readonly number[] = [];
  return {
    name: controllerLogName(deviceKey),
    interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const { start, end } = logRange(zone, clock.now(), deps.state.get(deviceKey)?.heardAt);
      const logs = await Promise.all(
        channels().map(({ place }) => api.cotLog(place.controllerId, place.number, start, end, asking)),
      );
      const times = logs.flat().flatMap((row) => apiInstant(row.createdDate, zone) ?? []);
      known = [...new Set([...known, ...times])].sort((a, b) => b - a).slice(0, KNOWN_ROWS);
      const [newestAt] = known;
      if (newestAt === undefined) watch.cannotTell(deviceKey);
      else handler.reported(deviceKey, newestAt);
      // A log with rows for movements only is silent while nothing moves.
      if (!isRegular(known) && clock.now() - (newestAt ?? 0) > MOVED_MS) watch.cannotTell(deviceKey);
    },
    failed: () => watch.cannotTell(deviceKey),
  };
}

export const controllerLogName = (deviceKey: string): string => `log:${deviceKey}`;

/** Return the range of a COT log that may hold newer rows. Range parameters have a resolution of minutes. */
function logRange(zone: ApiTimeZone, now: number, heardAt: unknown): { start: string; end: string } {
  const known = typeof heardAt === "string" ? Date.parse(heardAt) : 0;
  const from = Math.max(now - COT_LOG_MS, Math.min(now, known) - MINUTE);
  return { start: zone.toApi(from).slice(0, 16), end: zone.toApi(now + HOUR).slice(0, 16) };
}

const newest = <Row extends { createdDate: string }>(rows: readonly Row[]): Row | undefined =>
  rows.reduce<Row | undefined>(
    (a, b) => (a === undefined || b.createdDate > a.createdDate ? b : a),
    undefined,
  );
