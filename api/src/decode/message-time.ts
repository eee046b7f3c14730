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
/** Age up to which a time without a zone may be of now, ms. */
const ZONELESS_MS = 60 * 60_000;

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/;
const DIGITS = /^\d{9,13}(\.\d{1,9})?$/;

/** Convert seconds or milliseconds since 1970 to an instant; the two ranges do not overlap. */
function epochTime(number: number): number {
  if (number * 1_000 >= EARLIEST && number <= LAST_SECOND) return Math.round(number * 1_000);
  return number >= EARLIEST && number <= LAST_SECOND * 1_000 ? Math.round(number) : Number.NaN;
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

/** Form in which a device writes times without a zone: in UTC, or in the zone of the API. */
export type ZonelessForm = "utc" | "zone";

/**
 * Read a time without a zone with its context (TIME-1): of UTC and the API's zone the one that is not ahead of the
 * arrival. Where neither is, it is the device's known form, else the one of the last hour, else the later one. Of
 * a repeated time it is the later one that is not ahead.
 *
 * @param known the form of the device's earlier messages; null: not known
 * @returns `form` null: not shown by this message; null where both may be of now
 */
function zonelessTime(
  wall: number,
  receivedAt: number,
  zone: ApiTimeZone,
  known: ZonelessForm | null,
): { readonly at: number; readonly form: ZonelessForm | null } | null {
  const latest = receivedAt + FUTURE_TOLERANCE_MS;
  const instants = zone.instantsOf(wall);
  const local = instants.filter((at) => at <= latest).at(-1);
  const utc = wall <= latest ? wall : undefined;
  if (local === undefined && utc === undefined) return { at: Math.min(wall, ...instants), form: null };
  if (local === undefined || utc === undefined)
    return { at: local ?? utc ?? wall, form: local === undefined ? "utc" : "zone" };
  if (local === utc) return { at: utc, form: null };
  if (known !== null) return { at: known === "utc" ? utc : local, form: null };
  const isNear = (at: number): boolean => at >= receivedAt - ZONELESS_MS;
  if (isNear(utc) && isNear(local)) return null;
  if (isNear(utc)) return { at: utc, form: "utc" };
  return { at: Math.max(utc, local), form: isNear(local) ? "zone" : null };
}

/**
 * Read the time of a message with an offset or `Z`, or in seconds or milliseconds since 1970.
 *
 * @returns ms since 1970 UTC; the arrival where the message has no time
 */
export function messageTime(
  raw: unknown,
  receivedAt: number,
): { ok: true; at: number; given: boolean } | { ok: false; reason: RejectReason } {
  if (isAbsent(raw)) return { ok: true, at: receivedAt, given: false };
  const written = writtenTime(raw);
  const reason = written?.kind === "instant" ? faultOf(written.at, receivedAt) : "bad-time";
  if (written?.kind !== "instant" || reason !== null) return { ok: false, reason: reason ?? "bad-time" };
  return { ok: true, at: written.at, given: true };
}

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null || raw === "";

const faultOf = (at: number, receivedAt: number): "bad-time" | "from-future" | null => {
  if (!(at >= EARLIEST)) return "bad-time";
  return at > receivedAt + FUTURE_TOLERANCE_MS ? "from-future" : null;
};

/** The time that a device states in a message, ms since 1970 UTC. */
export type StatedTime =
  | { readonly kind: "absent" }
  /** `form`: the form of a time without a zone, where the message shows it. */
  | { readonly kind: "stated"; readonly at: number; readonly form?: ZonelessForm }
  /** Without a zone, and of the last hour in UTC and in the API's zone: it counts as of its arrival. */
  | { readonly kind: "ambiguous" }
  /** Unset, unreadable, far ahead or far back: the message counts as of its arrival (ORD-2). */
  | {
      readonly kind: "unbelievable";
      readonly reason: "bad-time" | "from-future";
      /** The field of the message that shows it; `at` where absent. */
      readonly field?: string;
      /** The time by the device's clock, ms since 1970 UTC; absent where it cannot be read, or was never set. */
      readonly at?: number;
    };

/**
 * Read the time of a device's own message.
 *
 * @param receivedAt its arrival, ms since 1970 UTC
 * @param zone the API's; null: reject times without a zone
 * @param form the form of the device's earlier times without a zone; null: not known
 */
export function statedTime(
  raw: unknown,
  receivedAt: number,
  zone: ApiTimeZone | null,
  form: ZonelessForm | null = null,
): StatedTime {
  if (isAbsent(raw)) return { kind: "absent" };
  const written = writtenTime(raw);
  if (written === null || (written.kind === "wall" && zone === null))
    return { kind: "unbelievable", reason: "bad-time" };
  const read =
    written.kind === "wall" && zone !== null ? zonelessTime(written.wall, receivedAt, zone, form) : null;
  if (written.kind === "wall" && read === null) return { kind: "ambiguous" };
  const at = written.kind === "instant" ? written.at : (read?.at ?? Number.NaN);
  const fault = faultOf(at, receivedAt) ?? (at < receivedAt - FAR_PAST_MS ? "bad-time" : null);
  if (fault !== null) return { kind: "unbelievable", reason: fault, ...(fault === "from-future" && { at }) };
  return { kind: "stated", at, ...(read?.form && { form: read.form }) };
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
  if (time.kind === "ambiguous" && end.kind === "wall" && clock?.kind === "wall") {
    const left = end.wall - clock.wall;
    return { ...texts, at: receivedAt + left, left };
  }
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
