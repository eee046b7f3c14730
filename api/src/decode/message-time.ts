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
function zonelessTime(wall: number, receivedAt: number, zone: ApiTimeZone): number {
  const near = (at: number): boolean =>
    at >= receivedAt - ZONELESS_MS && at <= receivedAt + FUTURE_TOLERANCE_MS;
  const [only, other] = [...new Set([wall, ...zone.instantsOf(wall)])].filter(near);
  return only !== undefined && other === undefined ? only : Number.NaN;
}

/**
 * A time as a device writes it, whether it is believed or not, ms. `wall`: without a zone, in a calendar without
 * zones.
 */
type WrittenTime =
  | { readonly kind: "instant"; readonly at: number }
  | { readonly kind: "wall"; readonly wall: number };

/** Read a time in any accepted form; null for text that is no time. */
function writtenTime(raw: unknown): WrittenTime | null {
  const instant = (at: number): WrittenTime | null => (Number.isFinite(at) ? { kind: "instant", at } : null);
  if (typeof raw === "number") return instant(epochTime(raw));
  if (typeof raw !== "string") return null;
  const text = raw.trim();
  if (DIGITS.test(text)) return instant(epochTime(Number(text)));
  const [match, day, time, offset] = ISO.exec(text) ?? [];
  if (match === undefined) return null;
  if (offset !== undefined) return instant(Date.parse(`${day}T${time}${offset}`));
  const wall = parseWallTime(`${day}T${time}`);
  return wall === null ? null : { kind: "wall", wall };
}

function instantOf(raw: unknown, receivedAt: number, zone: ApiTimeZone | null): number {
  const written = writtenTime(raw);
  if (written?.kind === "instant") return written.at;
  return written === null || zone === null ? Number.NaN : zonelessTime(written.wall, receivedAt, zone);
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
  | {
      readonly kind: "unbelievable";
      readonly reason: "bad-time" | "from-future";
      /** The field of the message that shows it; `at` where absent. */
      readonly field?: string;
    };

/** Read the time of a device's own message. @param receivedAt its arrival, ms since 1970 UTC */
export function statedTime(raw: unknown, receivedAt: number, zone: ApiTimeZone | null): StatedTime {
  const time = messageTime(raw, receivedAt, zone);
  if (!time.ok)
    return { kind: "unbelievable", reason: time.reason === "from-future" ? "from-future" : "bad-time" };
  if (!time.given) return { kind: "absent" };
  if (time.at < receivedAt - FAR_PAST_MS) return { kind: "unbelievable", reason: "bad-time" };
  return { kind: "stated", at: time.at };
}

/** The end of a run as a message states it, by the device's clock (ORD-7). */
export interface StatedEnd {
  /** The end as it is written, and the time of its message: the same texts are the same end. */
  readonly text: string;
  readonly by: string;
  /** The end by the device's clock, ms since 1970 UTC; null where it cannot be read. */
  readonly at: number | null;
  /** Time from the message's own time to the end, ms; null where the device's clock cannot be read. */
  readonly left: number | null;
}

/**
 * Read the end of a run, in the form and the zone of its message's own time. A time without a zone is then the
 * first one that is not before the message.
 *
 * @param stated the message's own time, raw and as read
 * @param receivedAt its arrival, ms since 1970 UTC
 * @returns null where the message states no end
 */
export function statedEnd(
  raw: unknown,
  stated: { readonly raw: unknown; readonly time: StatedTime },
  receivedAt: number,
  zone: ApiTimeZone,
): StatedEnd | null {
  if (raw === undefined || raw === null || raw === "") return null;
  const texts = { text: String(raw), by: String(stated.raw ?? "") };
  const end = writtenTime(raw);
  if (end === null) return { ...texts, at: null, left: null };
  const clock = writtenTime(stated.raw);
  const { time } = stated;
  if (end.kind === "instant") {
    const own = time.kind === "stated" ? time.at : clock?.kind === "instant" ? clock.at : null;
    return { ...texts, at: end.at, left: own === null ? null : end.at - own };
  }
  if (time.kind === "unbelievable") {
    if (clock?.kind === "wall") return { ...texts, at: null, left: end.wall - clock.wall };
    const at = clock === null ? null : endAfter(end.wall, clock.at, zone);
    return { ...texts, at, left: clock === null || at === null ? null : at - clock.at };
  }
  const from = time.kind === "stated" ? time.at : receivedAt;
  // The message's own time was read as UTC.
  const isUtc = clock?.kind === "wall" && clock.wall === from;
  const at = isUtc ? end.wall : endAfter(end.wall, from, zone, clock?.kind === "wall" ? [] : [end.wall]);
  return { ...texts, at, left: time.kind === "stated" ? at - time.at : null };
}

/** Return the first instant of a wall time that is not before `from`, else the last one. */
function endAfter(wall: number, from: number, zone: ApiTimeZone, more: readonly number[] = [wall]): number {
  const found = [...zone.instantsOf(wall), ...more].sort((a, b) => a - b);
  return found.find((at) => at >= from) ?? found.at(-1) ?? zone.firstAt(wall);
}
