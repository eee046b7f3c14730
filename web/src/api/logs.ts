import { LogEntry } from "@mulkko/shared/entities/log-entry";
import type { Watering } from "@mulkko/shared/live/watering";
import { cotLog, logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { MAX_WATERINGS, Waterings } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { wallRange } from "@mulkko/shared/rules/zoneless-time";
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

/** Rows as the farm API returns them, oldest first. */
export interface RawRows {
  readonly rows: readonly (Static<typeof Row> & Readonly<Record<string, unknown>>)[];
  /** True if there were more rows than the API returns at once: request a shorter range. */
  readonly truncated: boolean;
}

/** Query of raw rows; `from` and `to` are ms since 1970 UTC, `to` is excluded. */
export interface RawQuery {
  readonly id: string;
  /** Channel of a COT sensor or a controller; omitted for a sensor's own rows. */
  readonly number?: number;
  readonly from: number;
  readonly to: number;
  readonly zone: ApiTimeZone;
}

/** Timeout for raw rows, which are megabytes, ms. */
const RAW_TIMEOUT_MS = 90_000;

/**
 * Fetch the raw rows of a range extended to whole minutes: the API's range parameters have no seconds, and
 * APIs differ in whether the last minute counts.
 */
export async function fetchRawLog(
  rest: RestClient,
  { id, number, from, to, zone }: RawQuery,
  signal: AbortSignal,
): Promise<RawRows> {
  const { start, end } = wallRange(from, to, zone);
  const path =
    number === undefined
      ? pathTo(logRange, { id, start, end })
      : pathTo(cotLog, { id, channel: number, start, end });
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

/** Maximum number of requested pages of waterings. */
const PAGES = 10;

/** The waterings of one channel, newest first, and the start of the stored period. */
export interface WateringLog {
  readonly waterings: readonly Watering[];
  /** Ms UTC. */
  readonly keptFrom: number;
}

/** Fetch the waterings of a channel that began in a range, ms UTC; without an end up to now. */
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
