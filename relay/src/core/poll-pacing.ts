/** How often the farm API is asked, per unit, in ms (POLL-1). */
export interface PollIntervals {
  readonly list: { readonly watched: number; readonly unwatched: number };
  readonly places: { readonly watched: number; readonly unwatched: number };
  /** `latest` of a sensor: where the list has no newest log, and where `latest/mqtt` says nothing. */
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
  /** `admin/devices` or `admin/sensors`; unwatched also `latest` of each sensor, where the list has no newest log. */
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

/** Where the API's MQTT output is heard, polling only mends what was missed. */
export const HEARD_FACTOR = 10;

/** What the pace of a unit depends on. */
export interface Pace {
  /** Some viewer tracks the key, or everything, and was active lately. */
  readonly watched: boolean;
  /** The API's MQTT output is heard. */
  readonly heard: boolean;
}

const paced = (interval: number, pace: Pace): number => (pace.heard ? interval * HEARD_FACTOR : interval);

/** `sensor/list`; `controller` and `cluster/list`; `noti/list`. */
export function listInterval(
  unit: "list" | "places" | "notifications",
  pace: Pace,
  all: PollIntervals,
): number {
  return paced(pace.watched ? all[unit].watched : all[unit].unwatched, pace);
}

/** `latest/mqtt` of a sensor; null: not asked. `silent`: it answered null or 404 last time. */
export function latestMqttInterval(pace: Pace, silent: boolean, all: PollIntervals): number | null {
  if (!pace.watched) return null;
  return paced(silent ? all.latest.watched : all.latestMqtt.watched, pace);
}

/**
 * `latest` of a sensor; null: not asked.
 *
 * @param listed the sensor list carries newest logs, so that nobody need ask while nobody looks
 * @param alone `latest/mqtt` says nothing of this sensor
 */
export function latestInterval(
  pace: Pace,
  how: { listed: boolean; alone: boolean },
  all: PollIntervals,
): number | null {
  if (pace.watched) return paced(how.alone ? all.latest.alone : all.latest.watched, pace);
  return how.listed ? null : paced(all.latest.withoutList, pace);
}

/** `refresh` and moisture of a channel. `busy`: open, or an intent or command is. */
export function channelInterval(
  pace: Pace,
  how: { busy: boolean; mode: boolean },
  all: PollIntervals,
): number {
  const { channel } = all;
  if (pace.watched) return paced(how.busy ? channel.busyWatched : channel.watched, pace);
  if (how.busy) return paced(channel.busyUnwatched, pace);
  return paced(how.mode ? channel.modeUnwatched : channel.unwatched, pace);
}

/**
 * The factor by which intervals stretch so that all units together stay within a rate.
 *
 * @param stretchable requests a second of units that may stretch
 * @param fixed requests a second of open channels, which do not
 * @param perSecond the rate
 */
export function stretchFactor(stretchable: number, fixed: number, perSecond: number): number {
  const room = Math.max(perSecond - fixed, perSecond / 10);
  return Math.max(1, stretchable / room);
}
