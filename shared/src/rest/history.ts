import { type Static, Type } from "typebox";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/**
 * Query of `GET /relay/history`: comma lists of sensor ids, of channels (`id:number` of a COT sensor or a
 * controller) and of fields, UTC range, number of buckets. At least one id or channel.
 */
export const HistoryQuery = Type.Object({
  ids: Type.Optional(Type.String({ maxLength: 4_000 })),
  channels: Type.Optional(Type.String({ maxLength: 4_000 })),
  fields: Type.Optional(Type.String({ maxLength: 1_000 })),
  from: Instant,
  to: Instant,
  buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000, default: 300 })),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

const Numbers = Type.Array(Nullable(Type.Number()));

/** Regular buckets of one field: parallel lists; null where a bucket is empty. */
export const HistoryField = Type.Object({
  min: Numbers,
  max: Numbers,
  avg: Numbers,
  last: Numbers,
  statistics: Type.Object({
    max: Nullable(Type.Number()),
    min: Nullable(Type.Number()),
    avg: Nullable(Type.Number()),
    variance: Nullable(Type.Number()),
  }),
});
export type HistoryField = Static<typeof HistoryField>;

/** One sensor's buckets on a regular grid: bucket i covers [start + i·step, start + (i+1)·step). */
export const HistorySeries = Type.Object({
  sensorId: Type.String(),
  /** Channel number of the log; absent for a sensor's own log. */
  channel: Type.Optional(Type.Integer()),
  start: Instant,
  /** ms */
  step: Type.Integer({ minimum: 1 }),
  count: Type.Array(Type.Integer()),
  fields: TextRecord(HistoryField),
  /** Parts of the range that are still to be read; the next request continues there. Absent: none. */
  missing: Type.Optional(Type.Array(Type.Object({ from: Instant, to: Instant }))),
});
export type HistorySeries = Static<typeof HistorySeries>;

/** Answer of `GET /relay/history`; `source` names the maker of the buckets. */
export const History = Type.Object({
  from: Instant,
  to: Instant,
  source: Type.Union([Type.Literal("log-buckets"), Type.Literal("computed")]),
  series: Type.Array(HistorySeries),
});
export type History = Static<typeof History>;
