import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

/** The log to read: a sensor's, or that of one channel (by its number) of a COT sensor or a controller. */
export interface LogSource {
  readonly id: string;
  readonly channel?: number;
}

export const sourceKey = ({ id, channel }: LogSource): string => JSON.stringify([id, channel ?? null]);

/** A half-open range. Times are ms UTC; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;
/** Sizes of clock changes. */
const SHIFTS_MS = [30 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** Longest period that a clock change repeats. */
const REPEATED_MS = 2 * 3_600_000;

/**
 * Return the path of a span's raw rows in the API's local time, in whole minutes around it. A local time
 * that a clock change repeats denotes only one of its two occurrences. A span that begins or ends there is
 * therefore extended across the change.
 */
export function rawPath({ id, channel }: LogSource, span: Span, zone: ApiTimeZone): string {
  const minute = (instant: number): string => zone.toApi(instant).slice(0, 16);
  const isRepeated = (instant: number): boolean => {
    const wall = zone.toApi(instant);
    return SHIFTS_MS.some(
      (shift) => zone.toApi(instant - shift) === wall || zone.toApi(instant + shift) === wall,
    );
  };
  const from = Math.floor(span.from / MINUTE_MS) * MINUTE_MS;
  const to = Math.ceil(span.to / MINUTE_MS) * MINUTE_MS;
  const start = minute(isRepeated(from) ? from - REPEATED_MS : from);
  const end = minute(isRepeated(to) ? to + REPEATED_MS : to);
  return channel === undefined ? apiPath.log(id, start, end) : apiPath.cotLog(id, channel, start, end);
}
