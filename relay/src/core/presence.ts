import {
  medianInterval,
  offlineAfter,
  type Quality,
  qualityOfAge,
  rememberGap,
} from "@mulkko/shared/rules/quality";

/** What is known of one device's rhythm. Ages are measured on a clock that does not jump. */
export interface Presence {
  /** ms UTC, for people; null: never heard. */
  readonly heardAt: number | null;
  /** The same moment on the clock that does not jump. */
  readonly heardMonotonic: number;
  /** Newest gaps between signs of life, ms. */
  readonly gaps: readonly number[];
  /** Newest answer of the API about the device, on the clock that does not jump; null: none. */
  readonly answeredMonotonic: number | null;
  /** The relay or the API cannot tell at the moment (POLL-7). */
  readonly unknown: boolean;
}

/** Signs within so many ms are one: a controller reports all of its channels in a row. */
const ONE_SIGN_MS = 500;

export const NEVER_HEARD: Presence = {
  heardAt: null,
  heardMonotonic: 0,
  gaps: [],
  answeredMonotonic: null,
  unknown: false,
};

/** A sign of life. */
export interface Sign {
  /** ms UTC */
  readonly heardAt: number;
  /** False for a reading that came late: it shows that the device lives, and nothing of its rhythm (ONL-2). */
  readonly regular: boolean;
}

/** @param now wall and monotonic time of the relay, ms */
export function hear(presence: Presence, sign: Sign, now: { wall: number; monotonic: number }): Presence {
  if (presence.heardAt !== null && sign.heardAt <= presence.heardAt) return { ...presence, unknown: false };
  const gap = presence.heardAt === null ? null : sign.heardAt - presence.heardAt;
  return {
    ...presence,
    heardAt: sign.heardAt,
    heardMonotonic: now.monotonic - Math.max(0, now.wall - sign.heardAt),
    gaps:
      gap !== null && gap >= ONE_SIGN_MS && sign.regular ? rememberGap(presence.gaps, gap) : presence.gaps,
    unknown: false,
  };
}

/** What is to be said of a device now, and when to look again. */
export interface Judgement {
  readonly quality: Quality | null;
  /** ms until silence alone changes it; null: never. */
  readonly changesInMs: number | null;
  /** The device would be offline, if only the API were asked whether it still shows the old log (ONL-1). */
  readonly asks: boolean;
}

/**
 * @param pollInterval ms between two looks; null where the device's messages are heard as they come
 * @param trusted silence on the broker is the device's own: nothing need be asked
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
  const { quality, changesInMs } = qualityOfAge(monotonic - presence.heardMonotonic, cadence);
  if (quality !== "offline" || how.trusted) return { quality, changesInMs, asks: false };
  const threshold = presence.heardMonotonic + offlineAfter(interval);
  const shown = presence.answeredMonotonic !== null && presence.answeredMonotonic >= threshold;
  return shown ? { quality, changesInMs, asks: false } : { quality: "late", changesInMs: null, asks: true };
}
