import type { Gzip } from "node:zlib";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/database.ts";
import { ApiError } from "../http/api-error.ts";
import { clearRelayCopy, copyRelayStore } from "./relay-store.ts";
import { createGzipSink } from "./sink.ts";
import { openSnapshot, type Place } from "./snapshot.ts";
import { type Sources, writeBackup } from "./write.ts";

/** `mulkko-2026-11-21T0905Z.backup.gz` */
const nameAt = (now: number): string =>
  `mulkko-${new Date(now).toISOString().slice(0, 16).replace(":", "")}Z.backup.gz`;

export interface BackupOptions extends Place {
  /** The relay's state is not in a folder then. */
  readonly isRelayOnRedis: boolean;
  readonly clock: Clock;
}

/** Takes backups of the running farm, one at a time. */
export interface BackupTaker {
  /**
   * @param before runs once no other is being made, and ahead of the moment that the backup shows
   * @throws ApiError 409 while another is being made, DatabaseError, Error where there is no room for the copy
   */
  take(before?: () => Promise<void>): Promise<{ readonly stream: Gzip; readonly name: string }>;
  /** Break off what is being made. */
  stop(): void;
  /** Fulfils when nothing is being made any more. */
  stopped(): Promise<void>;
}

export function createBackupTaker(
  database: Database,
  log: FastifyBaseLogger,
  { url, dataDir, isRelayOnRedis, clock }: BackupOptions,
): BackupTaker {
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
          log.info({ relay: typeof relay === "string" ? relay : "kept" }, "a backup was made");
          stream.end();
        },
        (error: unknown) => {
          log.warn({ err: error }, "a backup was not finished");
          // The file ends in its middle, so that it cannot pass for a whole one.
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
    async take(before) {
      if (isBusy) throw new ApiError(409, "conflict", "a backup is being made already");
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
