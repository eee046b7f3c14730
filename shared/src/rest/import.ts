import { type Static, Type } from "typebox";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";

/** Where CSV files are imported; `/{id}` behind it is one import. */
export const IMPORT_PATH = "/api/v1/admin/import";

/** Answer of `POST /api/v1/admin/import`. */
export const ImportStarted = Type.Object({ id: Type.String() });
export type ImportStarted = Static<typeof ImportStarted>;

/** Why a row, or one value of it, was not taken. */
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

/** Something that was not taken, and where it stands in the file. */
export const ImportReject = Type.Object({
  /** The first line of the file is 1. */
  line: Type.Integer(),
  /** The column's name, or its place where there is no header; null: the whole row. */
  column: Nullable(Type.String()),
  reason: Type.String(),
  /** What stands there, cut short. */
  value: Type.String(),
});
export type ImportReject = Static<typeof ImportReject>;

/** How far an import is; its report once it is over. */
export const ImportProgress = Type.Object({
  id: Type.String(),
  file: Type.String(),
  state: Type.Union([
    Type.Literal("running"),
    Type.Literal("done"),
    Type.Literal("failed"),
    Type.Literal("cancelled"),
  ]),
  /** A sentence; null unless it failed. */
  problem: Nullable(Type.String()),
  bytesRead: Type.Integer(),
  bytesTotal: Type.Integer(),
  /** Rows below the header, blank lines aside. */
  rows: Type.Integer(),
  /** Left out as the mapping says. */
  rowsIgnored: Type.Integer(),
  /** Without any value. */
  rowsEmpty: Type.Integer(),
  rowsRejected: Type.Integer(),
  /** Values not taken from rows of which the rest was. */
  valuesRejected: Type.Integer(),
  /** Readings that are stored now and were not before. */
  readingsStored: Type.Integer(),
  /** Readings whose sensor has one of that time already. */
  readingsKnown: Type.Integer(),
  /** How often each reason came up. */
  reasons: TextRecord(Type.Integer()),
  /** The first hundred. */
  rejects: Type.Array(ImportReject),
});
export type ImportProgress = Static<typeof ImportProgress>;
