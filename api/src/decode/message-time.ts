import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import { type ApiTimeZone, parseWallTime } from "@mulkko/shared/rules/api-time";

/** Accepted lead of a device's clock, ms. */
export const FUTURE_TOLERANCE_MS = 5 * 60_000;

/** An earlier time comes from a clock that was never set. */
const EARLIEST = Date.UTC(2000, 0, 1);

/**
 * A time further back than this comes from a clock that runs since its power-up default, ms: a live message is
 * not that late. Older measurements are imported.
 */
export const FAR_PAST_MS = 400 * 24 * 3_600_000;

/** Numbers up to here are seconds; from {@link EARLIEST} on they are milliseconds. */
const LAST_SECOND = Date.UTC(2100, 0, 1) / 1_000;
/** Largest age of a time without a zone: an older one may be in either of two zones. */
const ZONELESS_MS = 60 * 60_000;

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/;
const DIGITS = /^\d{9,13}(\.\d{1,9})?$/;

/** Convert seconds or milliseconds since 1970 to an instant; the two ranges do not overlap. */
function epochTime(number: number): number {
  if (number * 1_000 >= EARLIEST && number <= LAST_SECOND) return Math.round(number * 1_000);
  return number >= EARLIEST && number <= LAST_SECOND * 1_000 ? Math.round(number) : Number.NaN;
}

/** Return the only instant near the arrival that fits a time without a zone, in UTC or in the API's zone. */
function zonelessTime(text: string, receivedAt: number, zone: ApiTimeZone): number {
  const wall = parseWallTime(text);
  if (wall === null) return Number.NaN;
  const near = (at: number): boolean =>
    at >= receivedAt - ZONELESS_MS && at <= receivedAt + FUTURE_TOLERANCE_MS;
  const [only, other] = [...new Set([wall, ...zone.instantsOf(wall)])].filter(near);
  return only !== undefined && other === undefined ? only : Number.NaN;
}

function instantOf(raw: unknown, receivedAt: number, zone: ApiTimeZone | null): number {
  if (typeof raw === "number") return epochTime(raw);
  if (typeof raw !== "string") return Number.NaN;
  const text = raw.trim();
  if (DIGITS.test(text)) return epochTime(Number(text));
  const [match, day, time, offset] = ISO.exec(text) ?? [];
  if (match === undefined) return Number.NaN;
  if (offset !== undefined) return Date.parse(`${day}T${time}${offset}`);
  return zone === null ? Number.NaN : zonelessTime(`${day}T${time}`, receivedAt, zone);
}

/**
 * Read the time of a message: with an offset or `Z`, or in seconds or milliseconds since 1970. A time without
 * a zone is accepted if UTC and the API's zone leave one instant within the last hour.
 *
 * @param zone the API's; null: reject times without a zone
 * @returns ms since 1970 UTC; the arrival where the message has no time
 */
export function messageTime(
  raw: unknown,
  receivedAt: number,
  zone: ApiTimeZone | null = null,
): { ok: true; at: number; given: boolean } | { ok: false; reason: RejectReason } {
  if (raw === undefined || raw === null || raw === "") return { ok: true, at: receivedAt, given: false };
  const at = instantOf(raw, receivedAt, zone);
  if (!(at >= EARLIEST)) return { ok: false, reason: "bad-time" };
  if (at > receivedAt + FUTURE_TOLERANCE_MS) return { ok: false, reason: "from-future" };
  return { ok: true, at, given: true };
}

/** The time that a device states in a message, ms since 1970 UTC. */
export type StatedTime =
  | { readonly kind: "absent" }
  | { readonly kind: "stated"; readonly at: number }
  /** Unset, unreadable, far ahead or far back: the message counts as of its arrival (ORD-2). */
  | { readonly kind: "unbelievable"; readonly reason: "bad-time" | "from-future" };

/** Read the time of a device's own message. @param receivedAt its arrival, ms since 1970 UTC */
export function statedTime(raw: unknown, receivedAt: number, zone: ApiTimeZone | null): StatedTime {
  const time = messageTime(raw, receivedAt, zone);
  if (!time.ok)
    return { kind: "unbelievable", reason: time.reason === "from-future" ? "from-future" : "bad-time" };
  if (!time.given) return { kind: "absent" };
  if (time.at < receivedAt - FAR_PAST_MS) return { kind: "unbelievable", reason: "bad-time" };
  return { kind: "stated", at: time.at };
}
