import { type Static, Type } from "typebox";

/**
 * Trust in a value (ONL-2): `fresh`; `late` (a message is overdue); `offline` (only of a device); `unknown`
 * (the relay or the API cannot tell). A device without any contact has no quality: null.
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

/** A message that was measured longer ago than this was stored and forwarded, ms: it is no contact (ORD-4). */
export const FORWARDED_AFTER_MS = 60 * MINUTE;

/** Reference for a device's silence, in milliseconds; null where unknown. */
export interface Cadence {
  /** Usual time between two messages of the device. */
  interval: number | null;
  /** Time between two polls of the relay, if it polls. */
  pollInterval: number | null;
}

/** Return the age in ms from which a device is offline: max(60 min, 2.5 × interval), at most 26 h (ONL-1). */
export function offlineAfter(interval: number | null): number {
  const learned = interval === null ? 0 : 2.5 * interval;
  return Math.min(OFFLINE_AT_MOST_MS, Math.max(OFFLINE_AFTER_MS, learned));
}

/**
 * Return the age in ms from which a device is late: max(2 × interval, 2 × poll interval, 2 min); 15 min while
 * the interval is unknown.
 */
export function lateAfter(cadence: Cadence): number {
  const poll = 2 * (cadence.pollInterval ?? 0);
  const fresh =
    cadence.interval === null ? FRESH_WHILE_UNKNOWN_MS : Math.max(2 * cadence.interval, FRESH_AT_LEAST_MS);
  // A device that is polled every hour is still offline at its threshold (ONL-1).
  return Math.min(offlineAfter(cadence.interval), Math.max(fresh, poll));
}

/**
 * Ages of what a device sent, in milliseconds. `measured` is null for a thing that measures nothing, such as
 * a controller, and where only the contact is known.
 */
export interface Ages {
  readonly contact: number;
  readonly measured: number | null;
}

/**
 * Return the quality of a device by its ages. Only its contact makes it offline. A value is late by the older
 * of contact and measurement (AGE-1).
 *
 * @returns the quality, and in how many ms it changes by silence alone (null: never)
 */
export function qualityOfAges(
  { contact, measured }: Ages,
  cadence: Cadence,
): { quality: Quality; changesInMs: number | null } {
  const late = lateAfter(cadence);
  const offline = offlineAfter(cadence.interval);
  const value = Math.max(contact, measured ?? contact);
  if (contact >= offline) return { quality: "offline", changesInMs: null };
  if (value >= late) return { quality: "late", changesInMs: offline - contact };
  return { quality: "fresh", changesInMs: late - value };
}

/** Return the median of the gaps between messages, ms; null with fewer than two gaps. */
export function medianInterval(gaps: readonly number[]): number | null {
  if (gaps.length < 2) return null;
  const sorted = [...gaps].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}

/** Return the gaps to store after one more: the newest eight. */
export function rememberGap(gaps: readonly number[], gap: number): number[] {
  return [...gaps, gap].slice(-GAPS_REMEMBERED);
}

/**
 * A controller's connection as its broker reports it: `lost` while its last will is newer than its last
 * message.
 */
export const DeviceLink = Type.Union([Type.Literal("up"), Type.Literal("lost")]);
export type DeviceLink = Static<typeof DeviceLink>;

/** A quality as drawn on screens: `lost` is a value, of any age, of a controller with a lost connection. */
export type DrawnQuality = Quality | "lost";

const RANK: Readonly<Record<DrawnQuality, number>> = { fresh: 0, late: 1, lost: 2, offline: 3, unknown: 4 };

/** Return the worse of two qualities; null (no contact yet) stays null. */
export function worseQuality(a: Quality | null, b: Quality | null): Quality | null;
export function worseQuality(a: DrawnQuality | null, b: DrawnQuality | null): DrawnQuality | null;
export function worseQuality(a: DrawnQuality | null, b: DrawnQuality | null): DrawnQuality | null {
  if (a === null || b === null) return null;
  return RANK[a] >= RANK[b] ? a : b;
}

/** Age after which a field is late although its device sends others, ms. */
export const FIELD_LATE_AFTER_MS = 60 * MINUTE;

/** Measurement times of a reading's fields. */
export interface Dated {
  readonly at: string | null;
  readonly fieldTimes?: Readonly<Record<string, string>> | null | undefined;
}

/** Return the time at which a field was measured; the newest measurement of the reading without a field. */
const measuredAt = ({ at, fieldTimes }: Dated, field?: string): string | null =>
  (field === undefined ? undefined : fieldTimes?.[field]) ?? at;

/**
 * Return the time from which a value is as old as it is drawn: the older of its device's last contact and its
 * measurement (AGE-1).
 *
 * @param field the field that is drawn; absent for the reading as a whole
 */
export function valueTime(
  { heardAt, ...dated }: Dated & { readonly heardAt: string | null },
  field?: string,
): string | null {
  const at = measuredAt(dated, field);
  if (at === null || heardAt === null) return heardAt ?? at;
  return Date.parse(at) < Date.parse(heardAt) ? at : heardAt;
}

/**
 * Return the drawn quality of one field of a sensor: `late` where it is an hour older than the newest
 * (ONL-2).
 */
export function fieldQuality<Q extends DrawnQuality>(
  quality: Q | null,
  dated: Dated,
  field: string,
): Q | "late" | null {
  const { at } = dated;
  const measured = measuredAt(dated, field);
  if (quality !== "fresh" || measured === null || at === null) return quality;
  return Date.parse(at) - Date.parse(measured) >= FIELD_LATE_AFTER_MS ? "late" : quality;
}

/** A controller or channel as the relay sends it; a thing without a connection of its own has no `link`. */
export interface Believable {
  readonly quality: Quality | null;
  readonly link?: DeviceLink | null | undefined;
}

/**
 * Return the quality for drawing and counting a thing: the worst of its own, its connection's and the links'
 * (ONL-2).
 *
 * @param links the best quality that the links to the screen allow; absent where they are judged elsewhere
 */
export function drawnQuality({ quality, link }: Believable, links: Quality = "fresh"): DrawnQuality | null {
  return worseQuality(worseQuality(quality, link === "lost" ? "lost" : "fresh"), links);
}

/** The connection from the devices to the relay, as `link` of the live protocol names it. */
export interface SourceLink {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly notStoring?: object | null | undefined;
}

/**
 * Return the best quality of a value over the farm API and its broker (ONL-2). Without both, or while
 * readings are not stored, no new reading arrives: every value is late at best, in the relay's frames as on
 * the screens.
 */
export function sourceQuality({ upstream, mqtt, notStoring }: SourceLink): Quality {
  return (upstream === "down" && mqtt !== "up") || notStoring ? "late" : "fresh";
}

/**
 * Knowledge of a valve's water: `runs`; `ran` by the last report, which is no longer confirmed; `none`;
 * `unknown`.
 */
export type WaterNow = "runs" | "ran" | "none" | "unknown";

/** Return the knowledge of a valve's water. Only a live report proves that it runs, or that it does not. */
export function waterNow(onoff: 0 | 1 | 2, drawn: DrawnQuality | null): WaterNow {
  if (onoff === 1) return drawn === "fresh" ? "runs" : "ran";
  return onoff === 2 && drawn === "fresh" ? "none" : "unknown";
}
