import { onoffOf } from "@mulkko/shared/entities/controller-state";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { valveCode } from "@mulkko/shared/rules/valve";
import { type ApiClock, seriesTimes, wallRange } from "@mulkko/shared/rules/zoneless-time";
import type { AccountApi, CotRow } from "../../access/account-api.ts";
import { NoAccessError, UpstreamStatusError } from "../../upstream/errors.ts";
import type { AccountState } from "../account-state.ts";
import type { DeviceHandler } from "../device-handler.ts";
import type { DeviceIndex } from "../device-index.ts";
import { type Asked, type ChannelState, loggedChannel, polledChannel } from "../normalise-channel.ts";
import type { ListedChannel } from "../normalise-lists.ts";
import {
  channelInterval,
  listInterval,
  type Pace,
  paceOf,
  SPREAD_MS,
  UNKNOWN_GAP_MS,
} from "./poll-pacing.ts";
import type { PollUnit, PollUnits } from "./poll-units.ts";
import { createUnreadChannels, type UnreadChannels } from "./unread-channels.ts";

/** Number of gaps of a log that are compared, newest first. */
const GAPS = 8;
/** Tolerance to the median gap, as a share of it or in ms, within which a gap counts as equal. */
const LIKE_SHARE = 0.25;
const LIKE_MS = 30_000;
const LEAST = 2;

/**
 * True if a log is written at regular times, so that silence indicates an offline device (ONL-1). A log with
 * rows only when a valve moves is not regular.
 *
 * @param times of its rows, ms UTC, in any order
 */
export function isRegular(times: readonly number[]): boolean {
  const sorted = [...new Set(times)].sort((a, b) => b - a);
  const gaps = sorted.slice(1, GAPS + 1).map((at, index) => (sorted[index] ?? at) - at);
  const middle = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  if (middle === undefined) return false;
  const alike = gaps.filter((gap) => Math.abs(gap - middle) <= Math.max(LIKE_MS, middle * LIKE_SHARE));
  return alike.length >= LEAST && alike.length * 2 > gaps.length;
}

interface ChannelPollsDeps {
  readonly state: AccountState;
  readonly api: AccountApi;
  readonly deviceIndex: DeviceIndex;
  readonly handler: DeviceHandler;
  readonly units: PollUnits;
  readonly pace: (key: string) => Pace;
  readonly clock: Clock;
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
/** Minimum gap between moisture polls of a channel that its sensors' readings trigger, ms. */
const MOISTURE_GAP_MS = 10_000;
/** ms after a movement until its row is in the log, of an API that writes rows for movements only (ONL-1). */
const LOGGED_AFTER_MS = 2_000;

const moistureUnit = (channelKey: string): string => `moisture:${channelKey}`;
const controllerLogName = (deviceKey: string): string => `log:${deviceKey}`;

/** Poll the state and moisture of each channel, and the logs of controllers whose reports carry no time. */
export function pollChannels(deps: ChannelPollsDeps): void {
  const { state, deviceIndex, units, pace } = deps;
  const unread = createUnreadChannels(deps);

  state.on("devicesChanged", () => {
    const wanted = new Set<string>();
    for (const channel of deviceIndex.channels.values()) {
      wanted.add(controllerLogName(channel.deviceKey));
      for (const unit of channelUnits(channel, deps, unread)) {
        wanted.add(unit.name);
        if (!units.add(unit, "spread")) units.dueWithin(unit.name, SPREAD_MS);
      }
    }
    for (const prefix of ["channel:", "moisture:", "log:"]) units.prune(prefix, wanted);
  });
  state.on("deviceDue", (deviceKey) => {
    if (parseDeviceKey(deviceKey)?.kind === "sensor") return;
    for (const channel of deviceIndex.channelsOf(deviceKey)) units.due(channel, 0);
    units.due(controllerLogName(deviceKey), 0);
  });
  state.on("channelDue", (channelKey, inMs) => {
    if (deviceIndex.channels.has(channelKey)) units.due(channelKey, inMs);
    else units.dueAfter("controllers", UNKNOWN_GAP_MS);
  });
  state.on("sensorReceived", (sensorId) => {
    if (deviceIndex.sensorType(sensorId) === undefined) return;
    for (const { key, place } of deviceIndex.channels.values()) {
      const isNear = place.sensorIds.some((id) => String(id) === sensorId);
      if (isNear && pace(key).watched) units.dueAfter(moistureUnit(key), MOISTURE_GAP_MS);
    }
  });
  const allDue = (): void => {
    for (const key of deviceIndex.channels.keys()) units.dueWithin(key, SPREAD_MS);
  };
  state.on("messagesMissed", allDue);
  state.on("written", (kinds) => {
    if (kinds.includes("channel")) allDue();
  });
}

/** Return the poll units of a channel: its state, named by its key, and its moisture. */
function channelUnits(channel: ListedChannel, deps: ChannelPollsDeps, unread: UnreadChannels): PollUnit[] {
  const { api, handler, state, clock, units, pace } = deps;
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
  const moment = (): Asked => ({ at: clock.now(), monotonic: clock.monotonic() });
  const newestRow = async (asking: { urgent: boolean }): Promise<TimedRow | null> => {
    const { start, end } = logRange(api.clock, state.get(key)?.heardAt);
    return newest(await api.cotLog(place.controllerId, place.number, start, end, asking), api.clock);
  };
  const fromLog = async (asked: Asked, asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const found = await newestRow(asking);
    if (found === null) return null;
    const { moisture = null, valve } = found.row;
    return loggedChannel({ at: found.at, moisture, valve: valveCode(valve) }, asked, clock.monotonic());
  };
  const readState = async (asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const asked = moment();
    const isMissing = clock.monotonic() < missingUntil && !(kind === "controller" && isBusy());
    if (place.serial === null || isMissing) return fromLog(asked, asking);
    try {
      const answer = await api.refresh(place.serial, apiId, asking);
      const { heardAt, onoff } = state.get(key) ?? {};
      const before = typeof heardAt === "string" ? Date.parse(heardAt) : null;
      const known = { before, isOther: onoffOf(answer) !== onoff };
      return polledChannel(answer, asked, clock.monotonic(), api.clock, known);
    } catch (error) {
      if (error instanceof UpstreamStatusError && error.status === 404) {
        missingUntil = clock.monotonic() + MISSING_MS;
        if (kind === "cot") return fromLog(asked, asking);
      }
      throw error;
    }
  };
  const interval = (isUnreported: boolean): number =>
    channelInterval(paceOf(pace(key), isUnreported), { busy: isBusy(), mode: hasMode() });
  const moistureOf = async (asking: { urgent: boolean }): Promise<number | null> =>
    kind === "controller" ? api.moisture(apiId, asking) : ((await newestRow(asking))?.row.moisture ?? null);
  return [
    {
      name: key,
      interval,
      stretches: () => !isBusy(),
      urgent: isBusy,
      async ask(asking) {
        const reported = await readState(asking);
        if (reported === null) return;
        const before = state.get(key)?.onoff;
        handler.channel(key, reported);
        if (kind === "controller" && reported.report.heardAt === null) {
          units.add(controllerLogUnit(channel.deviceKey, deps), "now");
          // A movement has a new row in the log then, or soon.
          if (state.get(key)?.onoff !== before) {
            units.due(controllerLogName(channel.deviceKey), LOGGED_AFTER_MS);
          }
        }
      },
      failed(error) {
        unread.failed(key);
        const isRefused = error instanceof NoAccessError;
        state.emit(isRefused ? "deviceUnreadable" : "devicePollFailed", channel.deviceKey);
      },
    },
    {
      name: moistureUnit(key),
      interval: (isUnreported) =>
        kind === "controller"
          ? interval(isUnreported)
          : listInterval("list", paceOf(pace(key), isUnreported)),
      stretches: () => !isBusy(),
      urgent: () => false,
      ask: async (asking) => handler.moisture(key, await moistureOf(asking)),
    },
  ];
}

/**
 * Poll a controller's last report from a plain API: the newest row of its channels' COT logs, else unknown
 * (ONL-1).
 */
function controllerLogUnit(deviceKey: string, deps: ChannelPollsDeps): PollUnit {
  const { state, api, deviceIndex, handler, pace } = deps;
  let known: readonly number[] = [];
  return {
    name: controllerLogName(deviceKey),
    interval: (isUnreported) => listInterval("places", paceOf(pace(deviceKey), isUnreported)),
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const { start, end } = logRange(api.clock, state.get(deviceKey)?.heardAt);
      const channels = [...deviceIndex.channels.values()].filter((one) => one.deviceKey === deviceKey);
      const logs = await Promise.all(
        channels.map(({ place }) => api.cotLog(place.controllerId, place.number, start, end, asking)),
      );
      const times = logs.flatMap((rows) => timesOf(rows, api.clock).filter((at) => at !== null));
      known = [...new Set([...known, ...times])].sort((a, b) => b - a).slice(0, KNOWN_ROWS);
      const [newestAt] = known;
      if (newestAt === undefined) state.emit("deviceUnreadable", deviceKey);
      else handler.reported(deviceKey, newestAt);
      // A log with rows for movements only is silent while nothing moves.
      const isCurrent = isRegular(known) || api.clock.now() - (newestAt ?? 0) <= MOVED_MS;
      if (!isCurrent) state.emit("deviceUnreadable", deviceKey);
    },
    failed: () => state.emit("deviceUnreadable", deviceKey),
  };
}

/** Return the range of a COT log that may hold newer rows. Range parameters have a resolution of minutes. */
function logRange(api: ApiClock, heardAt: unknown): { start: string; end: string } {
  const now = api.now();
  const known = typeof heardAt === "string" ? Date.parse(heardAt) : 0;
  const from = Math.max(now - COT_LOG_MS, Math.min(now, known) - MINUTE);
  return wallRange(from, now + HOUR, api.zone);
}

const timesOf = (rows: readonly CotRow[], { zone, now }: ApiClock): (number | null)[] =>
  seriesTimes(
    rows.map(({ createdDate }) => createdDate),
    zone,
    now(),
  );

/** A row with its time, ms UTC. */
interface TimedRow {
  readonly at: number;
  readonly row: CotRow;
}

function newest(rows: readonly CotRow[], clock: ApiClock): TimedRow | null {
  const times = timesOf(rows, clock);
  return rows.reduce<TimedRow | null>((found, row, index) => {
    const at = times[index] ?? null;
    return at !== null && (found === null || at > found.at) ? { at, row } : found;
  }, null);
}
