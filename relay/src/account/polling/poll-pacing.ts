import type { UpstreamLimiter } from "../../upstream/upstream-limiter.ts";

/** Poll intervals of the farm API per unit, ms (POLL-1). */
export interface PollIntervals {
  readonly list: { readonly watched: number; readonly unwatched: number };
  readonly places: { readonly watched: number; readonly unwatched: number };
  /** `latest` of a sensor, if the list has no newest log or `latest/mqtt` returns nothing. */
  readonly latest: { readonly withoutList: number; readonly watched: number; readonly alone: number };
  readonly latestMqtt: { readonly watched: number };
  readonly channel: {
    readonly watched: number;
    readonly busyWatched: number;
    readonly busyUnwatched: number;
    readonly modeUnwatched: number;
    readonly unwatched: number;
  };
  readonly notifications: { readonly watched: number; readonly unwatched: number };
  /**
   * `admin/devices` or `admin/sensors`; unwatched also `latest` of each sensor, if the list has no newest
   * log.
   */
  readonly fleet: { readonly watched: number; readonly unwatched: number; readonly unwatchedLatest: number };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

export const DEFAULT_INTERVALS: PollIntervals = {
  list: { watched: MINUTE, unwatched: 5 * MINUTE },
  places: { watched: MINUTE, unwatched: 30 * MINUTE },
  latest: { withoutList: 5 * MINUTE, watched: MINUTE, alone: 10 * SECOND },
  latestMqtt: { watched: 10 * SECOND },
  channel: {
    watched: 10 * SECOND,
    busyWatched: 5 * SECOND,
    busyUnwatched: 15 * SECOND,
    modeUnwatched: 5 * MINUTE,
    unwatched: 60 * MINUTE,
  },
  notifications: { watched: 30 * SECOND, unwatched: 5 * MINUTE },
  fleet: { watched: MINUTE, unwatched: 5 * MINUTE, unwatchedLatest: 15 * MINUTE },
};

/** ms over which units that become due together are spread (POLL-3). */
export const SPREAD_MS = 3_000;
/** Minimum gap between list polls that messages about unknown devices trigger, ms. */
export const UNKNOWN_GAP_MS = 30_000;
/** Minimum gap between lists of the fleet that the API's reports of writes trigger, ms. */
export const CHANGED_GAP_MS = 15_000;

/** While the API's MQTT output is received, polling only repairs gaps. */
export const RECEIVED_FACTOR = 10;

/** The rate of all polls together, and the intervals of each unit. */
export interface Polling {
  readonly limiter: UpstreamLimiter;
  readonly intervals: PollIntervals;
}

/** Conditions that set the poll interval of a unit. */
export interface Pace {
  /** A viewer tracks the key, or everything, and was active recently. */
  readonly watched: boolean;
  /** The API's MQTT output is received. */
  readonly mqttReceived: boolean;
  readonly intervals: PollIntervals;
}

/** Return a pace, or the one that it would be if the API's MQTT output were not received. */
export const paceOf = (pace: Pace, isUnreported: boolean): Pace =>
  isUnreported ? { ...pace, mqttReceived: false } : pace;

const paced = (interval: number, pace: Pace): number =>
  pace.mqttReceived ? interval * RECEIVED_FACTOR : interval;

/** Return the interval of `sensor/list`, `controller` and `cluster/list`, and `noti/list`. */
export function listInterval(unit: "list" | "places" | "notifications", pace: Pace): number {
  const { watched, unwatched } = pace.intervals[unit];
  return paced(pace.watched ? watched : unwatched, pace);
}

/**
 * Return the interval of `latest/mqtt` of a sensor; null: do not ask. `silent`: the last answer was null or
 * 404.
 */
export function latestMqttInterval(pace: Pace, silent: boolean): number | null {
  if (!pace.watched) return null;
  const { latest, latestMqtt } = pace.intervals;
  return paced(silent ? latest.watched : latestMqtt.watched, pace);
}

/**
 * Return the interval of `latest` of a sensor; null: do not ask.
 *
 * @param listed the sensor list carries newest logs, so an unwatched sensor needs no poll
 * @param alone `latest/mqtt` returns nothing for this sensor
 */
export function latestInterval(pace: Pace, how: { listed: boolean; alone: boolean }): number | null {
  const { latest } = pace.intervals;
  if (pace.watched) return paced(how.alone ? latest.alone : latest.watched, pace);
  return how.listed ? null : paced(latest.withoutList, pace);
}

/**
 * Return the interval of `refresh` and moisture of a channel. `busy`: it is open, or has an intent or
 * command.
 */
export function channelInterval(pace: Pace, how: { busy: boolean; mode: boolean }): number {
  const { channel } = pace.intervals;
  if (pace.watched) return paced(how.busy ? channel.busyWatched : channel.watched, pace);
  if (how.busy) return paced(channel.busyUnwatched, pace);
  return paced(how.mode ? channel.modeUnwatched : channel.unwatched, pace);
}

/** Return the interval at which polling notices a report of a device, ms; null while MQTT brings it. */
export function deviceInterval(deviceKey: string, pace: Pace): number | null {
  if (pace.mqttReceived) return null;
  if (!deviceKey.startsWith("sensor:")) return channelInterval(pace, { busy: false, mode: false });
  const list = listInterval("list", pace);
  return pace.watched ? Math.min(pace.intervals.latestMqtt.watched, list) : list;
}

/**
 * Return the factor by which intervals stretch so that all units together stay within a rate.
 *
 * @param stretchable requests per second of units that may stretch
 * @param fixed requests per second of open channels, which do not
 * @param perSecond the rate
 */
export function stretchFactor(stretchable: number, fixed: number, perSecond: number): number {
  const room = Math.max(perSecond - fixed, perSecond / 10);
  return Math.max(1, stretchable / room);
}
