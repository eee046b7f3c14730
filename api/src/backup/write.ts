import { createHash } from "node:crypto";
import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGzip, type Gzip } from "node:zlib";
import { parse } from "@mulkko/shared/schema/parse";
import type { Queryable } from "../database/database.ts";
import { MIGRATIONS_TABLE, quoted, readTableNames, readTables, spellAlike, type Table } from "./catalogue.ts";
import {
  BackupError,
  type Counter,
  type EndLine,
  FileLine,
  FORMAT,
  FORMAT_VERSION,
  type Head,
  LEFT_OUT,
  MAX_FILE_BYTES,
  MAX_LINE,
  ONLY_ROWS,
  PIECE_BYTES,
  type RelayLine,
  type RelayPart,
  TableLine,
} from "./format.ts";
import { checkRelayStore } from "./relay-store.ts";
import { sortColumns } from "./schema.ts";

/** How long a client may read nothing from a download, ms; the snapshot stays open as long. */
const STALLED_MS = 120_000;

/** Destination of a backup's lines. */
interface Sink {
  /**
   * Write, and wait while the client is slow. @throws BackupError where the client is gone or reads nothing
   * for too long
   */
  write(text: string): Promise<void>;
}

/** Compress the written lines; the stream is for the sender or the file. */
export function createGzipSink(): { readonly sink: Sink; readonly stream: Gzip } {
  const stream = createGzip({ level: 6 });
  const closed = new AbortController();
  stream.once("close", () => closed.abort());
  return {
    stream,
    sink: {
      async write(text) {
        if (stream.destroyed) throw new BackupError("The client that requested the backup has disconnected.");
        if (stream.write(text)) return;
        try {
          await once(stream, "drain", {
            signal: AbortSignal.any([closed.signal, AbortSignal.timeout(STALLED_MS)]),
          });
        } catch (cause) {
          throw new BackupError("The client that requested the backup does not read it.", { cause });
        }
      },
    },
  };
}

const FOLDERS = ["images", "profiles"] as const;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** True for a file of this program, which belongs in a backup. */
const isTaken = (file: string): boolean => parse(FileLine, { file, size: 0 }).ok;

/**
 * Read the files of `DATA_DIR` that belong in a backup, one at a time. Skip a file that is replaced
 * meanwhile.
 *
 * @throws Error where a file is larger than any that this program writes
 */
async function* readFiles(dataDir: string): AsyncGenerator<{ file: string; bytes: Buffer }> {
  for (const folder of FOLDERS) {
    const names = await readdir(join(dataDir, folder)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const file of names.sort().map((name) => `${folder}/${name}`)) {
      if (!isTaken(file)) continue;
      const bytes = await readFile(join(dataDir, file)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (bytes && bytes.length > MAX_FILE_BYTES) throw new Error(`${file} is too large for a backup`);
      if (bytes) yield { file, bytes };
    }
  }
}

/** Rows in memory at once. */
const ROWS_AT_ONCE = 500;

type Write = (text: string) => Promise<void>;

/**
 * Return the partitions to read one by one: a lock on the whole table would block a new month's partition.
 */
const sourcesOf = ({ name, partitions }: Table): string[] =>
  partitions.length > 0 ? partitions.map((part) => part.name) : [name];

async function writeTable(tx: Queryable, table: Table, write: Write): Promise<number> {
  const head: TableLine = {
    table: table.name,
    columns: table.columns.map(({ name, type }) => ({ name, type })),
    partitions: [...table.partitions],
  };
  // A restore reads it by the same schema.
  if (!parse(TableLine, head).ok)
    throw new BackupError(`The table ${table.name} has a partition or a name that cannot be restored.`);
  await write(`${JSON.stringify(head)}\n`);
  const texts = table.columns.map(({ name }) => `${quoted(name)}::text`).join(", ");
  const only = ONLY_ROWS[table.name];
  const wanted = `array_to_json(array[${texts}])::text as line`;
  let count = 0;
  for (const source of sourcesOf(table)) {
    await tx.query(
      `declare backup_rows no scroll cursor for
       select ${wanted} from ${quoted(source)} ${only ? `where ${only}` : ""}`,
    );
    for (;;) {
      const rows = await tx.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from backup_rows`);
      if (rows.length === 0) break;
      count += rows.length;
      if (rows.some(({ line }) => line.length > MAX_LINE))
        throw new BackupError(`The table ${table.name} has a row that is too long to be restored.`);
      await write(rows.map(({ line }) => `${line}\n`).join(""));
    }
    await tx.query("close backup_rows");
  }
  return count;
}

/**
 * Lock the partitions, so that no month is dropped before it is read. The parent table stays free for new
 * months.
 */
async function holdParts(tx: Queryable, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables.flatMap(({ partitions }) => partitions)) {
    await tx.query(`lock table ${quoted(name)} in access share mode`);
  }
}

async function countersOf(tx: Queryable, tables: readonly Table[]): Promise<Counter[]> {
  const counters: Counter[] = [];
  for (const table of tables) {
    for (const { name } of table.columns.filter(({ counts }) => counts)) {
      const [found] = await tx.query<{ sequence: string }>(
        "select pg_get_serial_sequence(quote_ident($1), $2) as sequence",
        [table.name, name],
      );
      const [state] = await tx.query<{ last_value: number; is_called: boolean }>(
        `select last_value, is_called from ${found?.sequence}`,
      );
      if (state)
        counters.push({ table: table.name, column: name, last: state.last_value, isUsed: state.is_called });
    }
  }
  return counters;
}

async function writeFiles(dataDir: string, write: Write): Promise<number> {
  let count = 0;
  for await (const { file, bytes } of readFiles(dataDir)) {
    const head: FileLine = { file, size: bytes.length };
    await write(`${JSON.stringify(head)}\n`);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.toString("base64", at, Math.min(at + PIECE_BYTES, bytes.length));
      await write(`${JSON.stringify({ piece })}\n`);
    }
    count += 1;
  }
  return count;
}

/** Write in chunks: the store is as large as the farm has events. */
async function writeRelayStore(path: string, write: Write): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head: RelayLine = { relayStore: { size } };
    await write(`${JSON.stringify(head)}\n`);
    const piece = Buffer.alloc(PIECE_BYTES);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, size - at), at);
      if (bytesRead === 0) throw new Error(`${path} has become shorter`);
      await write(`${JSON.stringify({ piece: piece.toString("base64", 0, bytesRead) })}\n`);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Content of a backup. */
export interface Sources {
  readonly dataDir: string;
  /** Time of the backup, ms since 1970 UTC. */
  readonly now: number;
  /** Database engine. */
  readonly engine: string;
  /** A copy of the relay's store, or the reason for its absence. */
  readonly relay: { readonly copy: string } | Exclude<RelayPart, "kept">;
  /** The tables that a restore makes. */
  readonly own: readonly Table[];
}

/**
 * Write a whole backup: every table of the catalogue, including those of later migrations, the files of
 * `DATA_DIR`, and the relay's store.
 *
 * @param tx a transaction in which nothing changes and no other statement runs
 * @returns the names of tables and columns that are not Mulkko's, and not in the backup
 * @throws BackupError where the sink is closed, or where a restore would refuse the backup
 */
export async function writeBackup(tx: Queryable, sink: Sink, how: Sources): Promise<readonly string[]> {
  const hash = createHash("sha256");
  const write: Write = async (text) => {
    hash.update(text);
    await sink.write(text);
  };
  await spellAlike(tx);
  if (typeof how.relay !== "string") checkRelayStore(how.relay.copy);
  const own = new Set(how.own.map(({ name }) => name));
  const sorted = sortColumns(await readTables(tx, own), how.own);
  const foreign = (await readTableNames(tx)).filter((name) => !own.has(name));
  const leftOut = [...foreign, ...sorted.leftOut];
  const [row] = await tx.query<{ schema: number }>(`select max(number) as schema from ${MIGRATIONS_TABLE}`);
  const head: Head = {
    format: FORMAT,
    version: FORMAT_VERSION,
    schema: row?.schema ?? 0,
    createdAt: new Date(how.now).toISOString(),
    engine: how.engine,
    relay: typeof how.relay === "string" ? how.relay : "kept",
    ...(leftOut.length > 0 ? { leftOut: [...leftOut] } : {}),
  };
  await write(`${JSON.stringify(head)}\n`);
  const tables = sorted.tables.filter(({ name }) => !LEFT_OUT.has(name));
  await holdParts(tx, tables);
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table.name] = await writeTable(tx, table, write);
  await write(`${JSON.stringify({ counters: await countersOf(tx, tables) })}\n`);
  const files = await writeFiles(how.dataDir, write);
  if (typeof how.relay !== "string") await writeRelayStore(how.relay.copy, write);
  const end: EndLine = { end: true, rows, files, sha256: hash.digest("hex") };
  await sink.write(`${JSON.stringify(end)}\n`);
  return leftOut;
}
