import type { Gzip } from "node:zlib";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import { ApiError } from "../http/api-error.ts";
import { readTables, type Table } from "./catalogue.ts";
import { BackupError } from "./format.ts";
import { clearRelayCopy, copyRelayStore } from "./relay-store.ts";
import { sortColumns } from "./schema.ts";
import { openSnapshot, type Place } from "./snapshot.ts";
import { createGzipSink, type Sources, writeBackup } from "./write.ts";

/** Return a name such as `mulkko-2026-11-21T0905Z.backup.gz`. */
const nameAt = (now: number): string =>
  `mulkko-${new Date(now).toISOString().slice(0, 16).replace(":", "")}Z.backup.gz`;

export interface BackupOptions extends Place {
  /** True where the relay's state is in Redis, not in a folder. */
  readonly isRelayOnRedis: boolean;
  readonly clock: Clock;
}

/** A backup that is being written. */
interface MadeBackup {
  readonly stream: Gzip;
  readonly name: string;
  /** The tables that a restore makes. */
  readonly own: readonly Table[];
}

/** Make backups of the running farm, one at a time. */
export interface BackupService {
  /**
   * @param before runs once no other backup is in progress, before the snapshot
   * @throws ApiError 409 while another is in progress, or where the tables are not Mulkko's; DatabaseError, Error where there is no space for the
   * copy
   */
  make(before?: () => Promise<void>): Promise<MadeBackup>;
  /** Abort the backup in progress. */
  stop(): void;
  /** Resolve when no backup is in progress. */
  stopped(): Promise<void>;
}

export function createBackupService(
  database: Database,
  log: FastifyBaseLogger,
  { url, dataDir, isRelayOnRedis, clock }: BackupOptions,
): BackupService {
  let running: { readonly stop: () => void; readonly done: Promise<void> } | null = null;
  let isBusy = false;

  const relayPart = async (): Promise<Sources["relay"]> => {
    if (isRelayOnRedis) return "redis";
    const copy = await copyRelayStore(dataDir);
    return copy === null ? "none" : { copy };
  };

  /** The same for every backup of this process. */
  let own: readonly Table[] | undefined;

  /** Refuse at once what would end a download in the middle. */
  const refuseUnfit = async (own: readonly Table[]): Promise<void> => {
    try {
      sortColumns(await readTables(database, new Set(own.map(({ name }) => name))), own);
    } catch (error) {
      throw error instanceof BackupError ? new ApiError(409, "conflict", error.message) : error;
    }
  };

  const begin = async () => {
    const now = clock.now();
    const snapshot = await openSnapshot(database, { url, dataDir });
    const prepare = async () => {
      own ??= await snapshot.readOwnTables();
      await refuseUnfit(own);
      return { relay: await relayPart(), own };
    };
    const { relay, own: tables } = await prepare().catch(async (error: unknown) => {
      await snapshot.close();
      throw error;
    });
    const { sink, stream } = createGzipSink();
    const write = async (): Promise<readonly string[]> => {
      const sources = { dataDir, now, engine: database.kind, relay, own: tables };
      try {
        return await snapshot.read((tx) => writeBackup(tx, sink, sources));
      } finally {
        await snapshot.close();
        await clearRelayCopy(dataDir);
      }
    };
    const done = write()
      .then(
        (leftOut) => {
          log.info(
            { event: "backup-made", relay: typeof relay === "string" ? relay : "kept", leftOut },
            "backup made",
          );
          if (leftOut.length > 0)
            log.warn({ event: "backup-left-out", leftOut }, "not in the backup, as they are not Mulkko's");
          stream.end();
        },
        (error: unknown) => {
          log.warn({ event: "backup-aborted", err: error }, "backup aborted");
          // The file is truncated, so that it cannot pass for a complete one.
          stream.destroy(error instanceof Error ? error : undefined);
        },
      )
      .finally(() => {
        isBusy = false;
        running = null;
      });
    running = { stop: () => stream.destroy(), done };
    return { stream, name: nameAt(now), own: tables };
  };

  return {
    async make(before) {
      if (isBusy) throw new ApiError(409, "conflict", "a backup is already being made");
      isBusy = true;
      try {
        await before?.();
        return await begin();
      } catch (error) {
        isBusy = false;
        throw error;
      }
    },
    stop: () => running?.stop(),
    stopped: async () => running?.done,
  };
}
