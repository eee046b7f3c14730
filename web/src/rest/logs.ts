import { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { Watering } from "@mulkko/shared/live/watering";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { MAX_WATERINGS, Waterings } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Static, Type } from "typebox";
import type { RestClient } from "./client.ts";

const Row = Type.Object(LogEntry.properties, { additionalProperties: true });
const RawRange = Type.Union([
  Type.Array(Row),
  Type.Object(
    { data: Type.Array(Row), truncated: Type.Optional(Type.Boolean()) },
    { additionalProperties: true },
  ),
]);

/** Rows as the farm API gives them, oldest first. */
export interface RawRows {
  readonly rows: readonly (Static<typeof Row> & Readonly<Record<string, unknown>>)[];
  /** There were more than the API gives at once: ask for a shorter range. */
  readonly truncated: boolean;
}

/** What raw rows are asked for; `from` and `to` are ms since 1970 UTC, `to` is left out. */
export interface RawQuery {
  readonly id: string;
  /** Of a COT sensor or a controller; left out for a sensor's own rows. */
  readonly number?: number;
  readonly from: number;
  readonly to: number;
  readonly zone: ApiTimeZone;
}

const MINUTE_MS = 60_000;

/** Raw rows are megabytes, on whatever link a farm has, ms. */
const RAW_TIMEOUT_MS = 90_000;

/**
 * The raw rows of a range, and those of the minutes around it: the API's own words for a range know no seconds, and
 * whether the last minute counts is another thing with another API.
 */
export async function fetchRawLog(
  rest: RestClient,
  { id, number, from, to, zone }: RawQuery,
  signal: AbortSignal,
): Promise<RawRows> {
  const minute = (instant: number): string => zone.toApi(instant).slice(0, 16);
  const [start, end] = [minute(from), minute(Math.ceil(to / MINUTE_MS) * MINUTE_MS)];
  const path = number === undefined ? apiPath.log(id, start, end) : apiPath.cotLog(id, number, start, end);
  const answer = await rest.call({
    method: "GET",
    path,
    answer: RawRange,
    signal,
    timeoutMs: RAW_TIMEOUT_MS,
  });
  return Array.isArray(answer)
    ? { rows: answer, truncated: false }
    : { rows: answer.data, truncated: answer.truncated === true };
}

/** Pages of waterings that are asked for at most. */
const PAGES = 10;

/** What one channel got, newest first, and from when on anything is kept. */
export interface WateringLog {
  readonly waterings: readonly Watering[];
  /** ms UTC */
  readonly keptFrom: number;
}

/** The waterings of a channel that began in a range, ms UTC; without an end up to now. */
export async function fetchWateringLog(
  rest: RestClient,
  { channel, from, to }: { channel: string; from: number; to?: number },
  signal: AbortSignal,
): Promise<WateringLog> {
  const found: Watering[] = [];
  let cursor: string | null = null;
  for (let page = 0; ; page += 1) {
    const query: URLSearchParams = new URLSearchParams({
      channel,
      from: new Date(from).toISOString(),
      ...(to !== undefined && { to: new Date(to).toISOString() }),
      limit: `${MAX_WATERINGS}`,
      ...(cursor !== null && { cursor }),
    });
    const answer: Static<typeof Waterings> = await rest.call({
      method: "GET",
      path: `${relayPath.waterings}?${query}`,
      answer: Waterings,
      signal,
    });
    found.push(...answer.waterings);
    cursor = answer.next;
    if (cursor === null || page + 1 >= PAGES)
      return { waterings: found, keptFrom: Date.parse(answer.keptFrom) };
  }
}
