import { type Static, Type } from "typebox";

/**
 * A backup is gzip of lines of JSON (NDJSON): the head; then for each table its line and its rows, each an array of
 * the columns' texts; the counters; for each file its line and its pieces; the relay's store in the same way; and
 * the end, by which a file that was cut or changed is known.
 */
export const FORMAT = "mulkko-backup";
/** 2: with the relay's store. */
export const FORMAT_VERSION = 2;

/** Most characters of a line. */
export const MAX_LINE = 16 * 1024 * 1024;
/** Bytes of a file on one line. */
export const PIECE_BYTES = 48 * 1024;
/** Most bytes of a file. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Whatever claims to be a backup says this first, in every version. */
export const AnyHead = Type.Object({ format: Type.Literal(FORMAT), version: Type.Integer() });

/** Whether the relay's store is in the backup: `none` where no relay keeps one in the API's folder, or in Redis. */
const RelayPart = Type.Union([Type.Literal("kept"), Type.Literal("none"), Type.Literal("redis")]);
export type RelayPart = Static<typeof RelayPart>;

export const Head = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer({ minimum: 1, maximum: FORMAT_VERSION }),
  /** Not in version 1. */
  relay: Type.Optional(RelayPart),
  /** Number of the newest migration. */
  schema: Type.Integer({ minimum: 1 }),
  createdAt: Type.String(),
  engine: Type.String(),
});
export type Head = Static<typeof Head>;

const Name = Type.String({ minLength: 1, maxLength: 63 });

/** The only bounds that are repeated to a database: a month's, or that of a rest. */
const BOUND = "^(FOR VALUES FROM \\('[-0-9:.+ ]+'\\) TO \\('[-0-9:.+ ]+'\\)|DEFAULT)$";

export const TableLine = Type.Object({
  table: Name,
  columns: Type.Array(Type.Object({ name: Name, type: Type.String() }), { minItems: 1, maxItems: 1_600 }),
  partitions: Type.Array(Type.Object({ name: Name, bound: Type.String({ pattern: BOUND }) })),
});
export type TableLine = Static<typeof TableLine>;

/** Where the numbering of each column that counts goes on. */
export const CountersLine = Type.Object({
  counters: Type.Array(
    Type.Object({ table: Name, column: Name, last: Type.Integer(), isUsed: Type.Boolean() }),
  ),
});
export type Counter = Static<typeof CountersLine>["counters"][number];

/** A file of `DATA_DIR`: pictures under the names that the API gave them, device profiles under simple ones. */
export const FileLine = Type.Object({
  file: Type.String({
    pattern: "^(images/[0-9a-f]{32}\\.(png|jpg|webp)|profiles/[A-Za-z0-9][\\w.-]{0,99}\\.json)$",
  }),
  size: Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }),
});
export type FileLine = Static<typeof FileLine>;

/** The relay's SQLite, which may be larger than memory: its pieces follow. */
export const RelayLine = Type.Object({ relayStore: Type.Object({ size: Type.Integer({ minimum: 1 }) }) });
export type RelayLine = Static<typeof RelayLine>;

export const PieceLine = Type.Object({ piece: Type.String({ minLength: 1, maxLength: 2 * PIECE_BYTES }) });

export const EndLine = Type.Object({
  end: Type.Literal(true),
  /** Rows by table. */
  rows: Type.Record(Name, Type.Integer()),
  files: Type.Integer(),
  /** Of all bytes before this line, unpacked. */
  sha256: Type.String(),
});
export type EndLine = Static<typeof EndLine>;

/** What is not taken: everybody signs in again, and tokens are signed with a new secret. */
export const LEFT_OUT: ReadonlySet<string> = new Set(["session", "refresh_token"]);
export const ONLY_ROWS: Readonly<Record<string, string>> = { setting: "key <> 'token-secret'" };

/** A fault that the operator can mend; the message is a sentence. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
