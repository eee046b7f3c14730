import type { Gzip } from "node:zlib";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import { ApiError } from "../http/api-error.ts";
import { clearRelayCopy, copyRelayStore } from "./relay-store.ts";
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

/** Make backups of the running farm, one at a time. */
export interface BackupService {
  /**
   * @param before runs once no other backup is in progress, before the snapshot
   * @throws ApiError 409 while another is in progress, DatabaseError, Error where there is no space for the
   * copy
   */
  make(before?: () => Promise<void>): Promise<{ readonly stream: Gzip; readonly name: string }>;
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

  const begin = async () => {
    const now = clock.now();
    const snapshot = await openSnapshot(database, { url, dataDir });
    const relay = await relayPart().catch(async (error: unknown) => {
      await snapshot.close();
      throw error;
    });
    const { sink, stream } = createGzipSink();
    const write = async (): Promise<void> => {
      try {
        await snapshot.read((tx) => writeBackup(tx, sink, { dataDir, now, engine: database.kind, relay }));
      } finally {
        await snapshot.close();
        await clearRelayCopy(dataDir);
      }
    };
    const done = write()
      .then(
        () => {
          log.info(
            { event: "backup-made", relay: typeof relay === "string" ? relay : "kept" },
            "backup made",
          );
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
    return { stream, name: nameAt(now) };
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
