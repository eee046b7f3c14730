import type { HistoryQuery } from "@mulkko/shared/rest/history";
import { invalidField } from "../http/relay-error.ts";
import { HISTORY_LIMITS } from "./limits.ts";
import { type BucketGrid, bucketGrid, type LogSource } from "./slices.ts";

/** A validated history query; times are ms UTC. */
export interface HistoryQuestion {
  readonly sources: readonly LogSource[];
  /** undefined: all fields. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly from: number;
  readonly to: number;
  readonly grid: BucketGrid;
}

const namesOf = (list: string | undefined): string[] => [
  ...new Set(
    (list ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
];

const CHANNEL = /^(.+):(\d{1,2})$/;

/** @throws RelayError 422 */
function channelOf(name: string): LogSource {
  const [, id, number] = CHANNEL.exec(name) ?? [];
  const channel = Number(number);
  if (id === undefined || channel < 1 || channel > HISTORY_LIMITS.channelNumber) {
    throw invalidField("channels", `must be id:number, the number 1 to ${HISTORY_LIMITS.channelNumber}`);
  }
  return { id, channel };
}

/** @throws RelayError 422 naming the field */
export function questionOf(query: HistoryQuery): HistoryQuestion {
  const sensors = namesOf(query.ids).map((id): LogSource => ({ id }));
  const channels = namesOf(query.channels).map(channelOf);
  const sources = [...sensors, ...channels];
  const fields = namesOf(query.fields);
  const from = Date.parse(query.from);
  const to = Date.parse(query.to);
  if (sources.length === 0 || sources.length > HISTORY_LIMITS.ids)
    throw invalidField(
      sensors.length < channels.length ? "channels" : "ids",
      `must be 1 to ${HISTORY_LIMITS.ids}`,
    );
  if (fields.length > HISTORY_LIMITS.fields)
    throw invalidField("fields", `must be at most ${HISTORY_LIMITS.fields}`);
  if (Number.isNaN(from)) throw invalidField("from", "is not a time");
  if (Number.isNaN(to) || to <= from) throw invalidField("to", "must lie after from");
  if (to - from > HISTORY_LIMITS.rangeMs) throw invalidField("to", "lies too far after from");
  return {
    sources,
    fields: fields.length > 0 ? new Set(fields) : undefined,
    from,
    to,
    grid: bucketGrid(from, to, query.buckets ?? 300),
  };
}
