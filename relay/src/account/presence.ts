import type { Flip } from "@mulkko/shared/rules/presence";
import {
  medianInterval,
  offlineAfter,
  type Quality,
  qualityOfAges,
  rememberGap,
} from "@mulkko/shared/rules/quality";

/** Reporting rhythm of one device. Ages are measured on the monotonic clock. */
export interface Presence {
  /** ms UTC, for display; null: never reported. */
  readonly heardAt: number | null;
  /** The same time on the monotonic clock. */
  readonly seenMonotonic: number;
  /** Time of the newest measurement on the monotonic clock; null: none, or the device measures nothing. */
  readonly measuredMonotonic: number | null;
  /** Newest gaps between reports, ms. */
  readonly gaps: readonly number[];
  /** Newest answer of the API about the device, monotonic ms; null: none. */
  readonly answeredMonotonic: number | null;
  /** The relay or the API cannot judge the device at present (POLL-7). */
  readonly unknown: boolean;
}

/** Reports within this many ms count as one: a controller reports all of its channels in a row. */
const ONE_HEARTBEAT_MS = 500;

export const NEVER_SEEN: Presence = {
  heardAt: null,
  seenMonotonic: 0,
  measuredMonotonic: null,
  gaps: [],
  answeredMonotonic: null,
  unknown: false,
};

/** A sign of life from a device. */
export interface Heartbeat {
  /** ms UTC */
  readonly heardAt: number;
  /** False for a late reading, which shows that the device is alive but not its rhythm (ONL-2). */
  readonly regular: boolean;
  /** True for a message that has just arrived: it is the newest, whatever its time (ORD-1). */
  readonly isLive?: boolean;
  /** By how much the clock of `heardAt` is ahead of the relay's, ms (ONL-3). Absent: it is the relay's. */
  readonly aheadMs?: number;
  /** Contact after the device's last gap of an hour or more, ms UTC; absent: not known (FLIP-1). */
  readonly backAt?: number | undefined;
  /** Time of the newest measurement by the relay's clock, ms UTC; absent where the report measures nothing. */
  readonly measuredAt?: number | null;
}

/** A change of a device's judgement. */
export interface PresenceChange {
  readonly key: string;
  readonly quality: Quality | null;
  /** ms UTC */
  readonly heardAt: number | null;
  /** Set when the relay saw the device go offline or come back. */
  readonly flip: Flip | null;
  /** The device's last known flip, also one from before the relay watched it (FLIP-1). */
  readonly lastFlip: Flip | null;
}

/** @param now wall and monotonic time of the relay, ms */
export function recordHeartbeat(
  presence: Presence,
  sign: Heartbeat,
  now: { wall: number; monotonic: number },
): Presence {
  const monotonicAt = (at: number): number => now.monotonic - Math.max(0, now.wall - at);
  const measuredMonotonic =
    sign.measuredAt == null
      ? presence.measuredMonotonic
      : Math.max(presence.measuredMonotonic ?? Number.NEGATIVE_INFINITY, monotonicAt(sign.measuredAt));
  const isNewer = sign.isLive === true || presence.heardAt === null || sign.heardAt > presence.heardAt;
  if (!isNewer) return { ...presence, measuredMonotonic, unknown: false };
  const dated = monotonicAt(sign.heardAt - (sign.aheadMs ?? 0));
  // Whatever the clocks were set to meanwhile: the newer contact is not older than the one before.
  const seenMonotonic = presence.heardAt === null ? dated : Math.max(presence.seenMonotonic, dated);
  const gap = gapTo(presence, sign, seenMonotonic);
  return {
    ...presence,
    heardAt: sign.heardAt,
    seenMonotonic,
    measuredMonotonic,
    gaps:
      gap !== null && gap >= ONE_HEARTBEAT_MS && sign.regular
        ? rememberGap(presence.gaps, gap)
        : presence.gaps,
    unknown: false,
  };
}

/** Return the gap to the report before, ms; where a clock was set back, by the monotonic clock. */
function gapTo({ heardAt, seenMonotonic }: Presence, sign: Heartbeat, seenAt: number): number | null {
  if (heardAt === null) return null;
  return sign.heardAt > heardAt ? sign.heardAt - heardAt : Math.max(0, seenAt - seenMonotonic);
}

/** Return the silence that a device is allowed by its rhythm, ms (ONL-1). */
export const allowedSilence = ({ gaps }: Pick<Presence, "gaps">): number =>
  offlineAfter(medianInterval(gaps));

/** The judgement of a device now, and when to judge again. */
export interface Judgement {
  readonly quality: Quality | null;
  /** ms until silence alone changes the judgement; null: never. */
  readonly changesInMs: number | null;
  /** The device would be offline if the API confirmed that it still shows the old log (ONL-1). */
  readonly asks: boolean;
}

/**
 * @param pollInterval ms between two polls; null if the device's messages are received directly
 * @param trusted silence on the broker is the device's own: no poll is needed
 */
export function judge(
  presence: Presence,
  monotonic: number,
  how: { pollInterval: number | null; trusted: boolean },
): Judgement {
  if (presence.unknown) return { quality: "unknown", changesInMs: null, asks: false };
  if (presence.heardAt === null) return { quality: null, changesInMs: null, asks: false };
  const interval = medianInterval(presence.gaps);
  const cadence = { interval, pollInterval: how.pollInterval };
  const { seenMonotonic, measuredMonotonic } = presence;
  const ages = {
    contact: monotonic - seenMonotonic,
    measured: measuredMonotonic === null ? null : monotonic - measuredMonotonic,
  };
  const { quality, changesInMs } = qualityOfAges(ages, cadence);
  if (quality !== "offline" || how.trusted) return { quality, changesInMs, asks: false };
  const threshold = seenMonotonic + offlineAfter(interval);
  const shown = presence.answeredMonotonic !== null && presence.answeredMonotonic >= threshold;
  return shown ? { quality, changesInMs, asks: false } : { quality: "late", changesInMs: null, asks: true };
}
