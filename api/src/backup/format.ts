import { type Static, Type } from "typebox";

/**
 * A backup is gzip of lines of JSON (NDJSON), in this order:
 *
 * - the head
 * - for each table its line and its rows, each an array of the columns' texts
 * - the counters
 * - for each file its line and its chunks
 * - the relay's store, in the same form
 * - the end, with a hash that reveals a truncated or changed file
 */
export const FORMAT = "mulkko-backup";
/** Version 2 adds the relay's store. */
export const FORMAT_VERSION = 2;

/** Most characters in a line. */
export const MAX_LINE = 16 * 1024 * 1024;
/** Bytes of a file per line. */
export const PIECE_BYTES = 48 * 1024;
/** Most bytes in a file. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** First line of a backup of any version. */
export const AnyHead = Type.Object({ format: Type.Literal(FORMAT), version: Type.Integer() });

/**
 * State of the relay's store in the backup: `none` where no relay stores one in the API's folder, `redis`
 * where it is in Redis.
 */
const RelayPart = Type.Union([Type.Literal("kept"), Type.Literal("none"), Type.Literal("redis")]);
export type RelayPart = Static<typeof RelayPart>;

export const Head = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Integer({ minimum: 1, maximum: FORMAT_VERSION }),
  /** Missing in version 1. */
  relay: Type.Optional(RelayPart),
  /** Number of the newest migration. */
  schema: Type.Integer({ minimum: 1 }),
  createdAt: Type.String(),
  engine: Type.String(),
  /** Tables and columns that are not Mulkko's; missing where there are none. */
  leftOut: Type.Optional(Type.Array(Type.String(), { maxItems: 100_000 })),
});
export type Head = Static<typeof Head>;

const Name = Type.String({ minLength: 1, maxLength: 63 });

/** The only partition bounds passed to a database: a month's, or that of the default partition. */
const BOUND = "^(FOR VALUES FROM \\('[-0-9:.+ ]+'\\) TO \\('[-0-9:.+ ]+'\\)|DEFAULT)$";

export const TableLine = Type.Object({
  table: Name,
  columns: Type.Array(Type.Object({ name: Name, type: Type.String() }), { minItems: 1, maxItems: 1_600 }),
  partitions: Type.Array(Type.Object({ name: Name, bound: Type.String({ pattern: BOUND }) })),
});
export type TableLine = Static<typeof TableLine>;

/** Next number of each column with a sequence. */
export const CountersLine = Type.Object({
  counters: Type.Array(
    Type.Object({ table: Name, column: Name, last: Type.Integer(), isUsed: Type.Boolean() }),
  ),
});
export type Counter = Static<typeof CountersLine>["counters"][number];

/**
 * A file of `DATA_DIR`: an image under the name that the API gave it, or a device profile under a simple
 * name.
 */
export const FileLine = Type.Object({
  file: Type.String({
    pattern: "^(images/[0-9a-f]{32}\\.(png|jpg|webp)|profiles/[A-Za-z0-9][\\w.-]{0,99}\\.json)$",
  }),
  size: Type.Integer({ minimum: 0, maximum: MAX_FILE_BYTES }),
});
export type FileLine = Static<typeof FileLine>;

/** The relay's SQLite file, which may be larger than memory: its chunks follow. */
export const RelayLine = Type.Object({ relayStore: Type.Object({ size: Type.Integer({ minimum: 1 }) }) });
export type RelayLine = Static<typeof RelayLine>;

export const PieceLine = Type.Object({ piece: Type.String({ minLength: 1, maxLength: 2 * PIECE_BYTES }) });

export const EndLine = Type.Object({
  end: Type.Literal(true),
  /** Rows by table. */
  rows: Type.Record(Name, Type.Integer()),
  files: Type.Integer(),
  /** Hash of all uncompressed bytes before this line. */
  sha256: Type.String(),
});
export type EndLine = Static<typeof EndLine>;

/**
 * Tables left out: all users sign in again, tokens are signed with a new secret, and the number of owners so far
 * belongs to a database, not to its content.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set(["session", "refresh_token"]);
export const ONLY_ROWS: Readonly<Record<string, string>> = {
  setting: "key not in ('token-secret', 'owner-term')",
};

/** A fault that the operator can fix; the message is a sentence. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
