import { type Static, Type } from "typebox";

/**
 * How far a value can be believed (ONL-2): `fresh`; `late` (should have been heard again); `offline` (said of
 * a device only); `unknown` (the relay or the API cannot tell). A device never heard has no quality: null.
 */
export const Quality = Type.Union([
  Type.Literal("fresh"),
  Type.Literal("late"),
  Type.Literal("offline"),
  Type.Literal("unknown"),
]);
export type Quality = Static<typeof Quality>;

const MINUTE = 60_000;

export const OFFLINE_AFTER_MS = 60 * MINUTE;
export const OFFLINE_AT_MOST_MS = 26 * 60 * MINUTE;
export const FRESH_AT_LEAST_MS = 2 * MINUTE;
export const FRESH_WHILE_UNKNOWN_MS = 15 * MINUTE;
export const GAPS_REMEMBERED = 8;

/** What a device's silence is measured against, in milliseconds; null where not known. */
export interface Cadence {
  /** Usual time between two signs of life of the device. */
  interval: number | null;
  /** Time between two looks of the relay, where it polls. */
  pollInterval: number | null;
}

/** Age in ms from which a device is offline: max(60 min, 2.5 × interval), at most 26 h (ONL-1). */
export function offlineAfter(interval: number | null): number {
  const learned = interval === null ? 0 : 2.5 * interval;
  return Math.min(OFFLINE_AT_MOST_MS, Math.max(OFFLINE_AFTER_MS, learned));
}

/** Age in ms from which a device is late: max(2 × interval, 2 × poll interval, 2 min); 15 min while unknown. */
export function lateAfter(cadence: Cadence): number {
  const poll = 2 * (cadence.pollInterval ?? 0);
  const fresh =
    cadence.interval === null ? FRESH_WHILE_UNKNOWN_MS : Math.max(2 * cadence.interval, FRESH_AT_LEAST_MS);
  // A device that is looked at every hour is offline at its threshold all the same (ONL-1).
  return Math.min(offlineAfter(cadence.interval), Math.max(fresh, poll));
}

/**
 * The quality of a device last heard `ageMs` ago.
 *
 * @returns the quality, and in how many ms it changes by silence alone (null: never)
 */
export function qualityOfAge(
  ageMs: number,
  cadence: Cadence,
): { quality: Quality; changesInMs: number | null } {
  const late = lateAfter(cadence);
  const offline = offlineAfter(cadence.interval);
  if (ageMs >= offline) return { quality: "offline", changesInMs: null };
  if (ageMs >= late) return { quality: "late", changesInMs: offline - ageMs };
  return { quality: "fresh", changesInMs: late - ageMs };
}

/** Median of the gaps between signs of life, ms; null with fewer than two gaps. */
export function medianInterval(gaps: readonly number[]): number | null {
  if (gaps.length < 2) return null;
  const sorted = [...gaps].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

/** The gaps to remember after one more: the newest eight. */
export function rememberGap(gaps: readonly number[], gap: number): number[] {
  return [...gaps, gap].slice(-GAPS_REMEMBERED);
}

/** A controller's connection as its broker knows it: `lost` while its last will is newer than its last message. */
export const DeviceLink = Type.Union([Type.Literal("up"), Type.Literal("lost")]);
export type DeviceLink = Static<typeof DeviceLink>;

/** A quality as it is drawn: `lost` is a value, however young, of a controller whose connection is known to be lost. */
export type DrawnQuality = Quality | "lost";

const RANK: Readonly<Record<DrawnQuality, number>> = { fresh: 0, late: 1, lost: 2, offline: 3, unknown: 4 };

/** The worse of two qualities; null (never heard) stays null, as there is nothing to believe. */
export function worseQuality(a: Quality | null, b: Quality | null): Quality | null;
export function worseQuality(a: DrawnQuality | null, b: DrawnQuality | null): DrawnQuality | null;
export function worseQuality(a: DrawnQuality | null, b: DrawnQuality | null): DrawnQuality | null {
  if (a === null || b === null) return null;
  return RANK[a] >= RANK[b] ? a : b;
}

/** A controller or channel as the relay sends it; what has no connection of its own leaves `link` out. */
export interface Believable {
  readonly quality: Quality | null;
  readonly link?: DeviceLink | null | undefined;
}

/** The quality that a controller or channel is drawn with: the worse of its own and its connection's (ONL-2). */
export function drawnQuality({ quality, link }: Believable): DrawnQuality | null {
  return worseQuality(quality, link === "lost" ? "lost" : "fresh");
}
