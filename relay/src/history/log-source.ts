import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";

/** Whose log is read: a sensor's, or that of one channel (by its number) of a COT sensor or a controller. */
export interface LogSource {
  readonly id: string;
  readonly channel?: number;
}

export const sourceKey = ({ id, channel }: LogSource): string => JSON.stringify([id, channel ?? null]);

/** Times are ms UTC; `to` is the first moment that does not belong to it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;
/** By how much clocks are set. */
const SHIFTS_MS = [30 * MINUTE_MS, 60 * MINUTE_MS] as const;
/** No change of clocks repeats more than this. */
const REPEATED_MS = 2 * 3_600_000;

/**
 * Where a span's raw rows are, in the API's own words, which know no seconds: the minutes around it. A wall time
 * that a change of clocks repeats stands for one of its two occurrences alone, so that a span which begins or ends
 * there asks for what lies around the change too.
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
