import {
  medianInterval,
  offlineAfter,
  type Quality,
  qualityOfAge,
  rememberGap,
} from "@mulkko/shared/rules/quality";

/** Reporting rhythm of one device. Ages are measured on the monotonic clock. */
export interface Presence {
  /** ms UTC, for display; null: never reported. */
  readonly heardAt: number | null;
  /** The same time on the monotonic clock. */
  readonly seenMonotonic: number;
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
}

/** A change of a device's judgement. */
export interface PresenceChange {
  readonly key: string;
  readonly quality: Quality | null;
  /** ms UTC */
  readonly heardAt: number | null;
  /** Set when the device went offline or came back; `last` is its previous report (ms UTC). */
  readonly flip: { readonly online: boolean; readonly last: number | null } | null;
}

/** @param now wall and monotonic time of the relay, ms */
export function recordHeartbeat(
  presence: Presence,
  sign: Heartbeat,
  now: { wall: number; monotonic: number },
): Presence {
  const isNewer = sign.isLive === true || presence.heardAt === null || sign.heardAt > presence.heardAt;
  if (!isNewer) return { ...presence, unknown: false };
  const seenMonotonic = now.monotonic - Math.max(0, now.wall - sign.heardAt);
  const gap = gapTo(presence, sign, seenMonotonic);
  return {
    ...presence,
    heardAt: sign.heardAt,
    seenMonotonic,
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
  const { quality, changesInMs } = qualityOfAge(monotonic - presence.seenMonotonic, cadence);
  if (quality !== "offline" || how.trusted) return { quality, changesInMs, asks: false };
  const threshold = presence.seenMonotonic + offlineAfter(interval);
  const shown = presence.answeredMonotonic !== null && presence.answeredMonotonic >= threshold;
  return shown ? { quality, changesInMs, asks: false } : { quality: "late", changesInMs: null, asks: true };
}
