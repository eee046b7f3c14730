import { type Static, Type } from "typebox";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/** Answer of `POST /api/v1/admin/import`. */
export const ImportStarted = Type.Object({ id: Type.String() });
export type ImportStarted = Static<typeof ImportStarted>;

/** Reasons for rejecting a row, or one value of it. */
export const IMPORT_REJECT_REASONS = [
  "line-too-long",
  "bad-quote",
  "wrong-column-count",
  "bad-time",
  "no-such-time",
  "from-future",
  "unknown-serial",
  "no-field-of-type",
  "wrong-type",
  "out-of-range",
  "not-storable",
] as const;
export type ImportRejectReason = (typeof IMPORT_REJECT_REASONS)[number];

/** A rejected row or value, and its place in the file. */
export const ImportReject = Type.Object({
  /** The first line of the file is 1. */
  line: Type.Integer(),
  /** Name of the column, or its number without a header; null: the whole row. */
  column: Nullable(Type.String()),
  reason: Type.String(),
  /** Text at that place, shortened. */
  value: Type.String(),
});
export type ImportReject = Static<typeof ImportReject>;

/** Progress of an import; its report once it is over. */
export const ImportProgress = Type.Object({
  id: Type.String(),
  file: Type.String(),
  state: Type.Union([
    Type.Literal("running"),
    Type.Literal("done"),
    Type.Literal("failed"),
    Type.Literal("cancelled"),
  ]),
  /** Error text; null unless it failed. */
  problem: Nullable(Type.String()),
  bytesRead: Type.Integer(),
  bytesTotal: Type.Integer(),
  /** Rows below the header, blank lines aside. */
  rows: Type.Integer(),
  /** Rows left out by the mapping. */
  rowsIgnored: Type.Integer(),
  /** Rows without any value. */
  rowsEmpty: Type.Integer(),
  rowsRejected: Type.Integer(),
  /** Rejected values of otherwise accepted rows. */
  valuesRejected: Type.Integer(),
  /** Newly stored readings. */
  readingsStored: Type.Integer(),
  /** Readings that were not stored, because the sensor has one of that time already. */
  readingsKnown: Type.Integer(),
  /** Count of each reason. */
  reasons: TextRecord(Type.Integer()),
  /** The first hundred rejected rows and values. */
  rejects: Type.Array(ImportReject),
});
export type ImportProgress = Static<typeof ImportProgress>;
