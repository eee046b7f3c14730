import type { DiskState, StorageState } from "@mulkko/shared/rest/storage";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { StorageFault } from "@mulkko/shared/rules/storage-fault";
import type { FastifyBaseLogger } from "fastify";
import { type Database, DatabaseError } from "../database/database.ts";
import { createDiskForecast, type DiskSpace } from "./disk.ts";

/** Report if readings of devices are currently stored, and otherwise why not. */
export interface StorageWatch {
  /** Write a test row and read the free space, unless this was done just now. Never throws. */
  look(): Promise<void>;
  /** Record that a batch of readings or reports could not be written. */
  refused(error: unknown): void;
  readonly state: StorageState;
  /** SQLSTATE or connection code of the newest error of the present fault, for operators; null without one. */
  readonly code: string | null;
  /** True if the last test write succeeded. */
  readonly databaseTakesRows: boolean;
}

export interface StorageWatchDeps {
  readonly database: Pick<Database, "kind" | "query">;
  readonly broker: { isUp(): boolean };
  /** Read the free space of the data folder's file system. */
  readonly readDisk: () => Promise<DiskSpace | null>;
  readonly clock: Clock;
  readonly logger: Pick<FastifyBaseLogger, "error" | "info">;
}

/** Shortest interval between two checks, ms. */
const LOOK_EVERY_MS = 3_000;
/** Time after a refused batch until storing counts as recovered, ms. */
const RECOVERED_AFTER_MS = 30_000;
/** Free space that the database in the data folder needs, bytes: one more segment of its log. */
const FREE_AT_LEAST = 16 * 1024 * 1024;
/** SQLSTATE of a database without disk space. */
const DISK_FULL = "53100";

const PROBE = "insert into storage_probe (at) values ($1) on conflict (id) do update set at = excluded.at";

function faultOf(error: unknown): StorageFault {
  if (!(error instanceof DatabaseError)) return "database";
  const isFull = error.code === DISK_FULL || error.message.includes("No space left on device");
  return isFull ? "disk-full" : "database";
}

export function createStorageWatch(deps: StorageWatchDeps): StorageWatch {
  const { database, broker, clock, logger } = deps;
  const forecast = createDiskForecast();
  let disk: DiskState | null = null;
  let probe: StorageFault | null = null;
  let refusal: { readonly fault: StorageFault; readonly at: number } | null = null;
  let shown: { readonly fault: StorageFault; readonly since: number } | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let lastError: unknown;

  const faultNow = (): StorageFault | null => {
    if (probe !== null) return probe;
    if (refusal !== null && clock.monotonic() - refusal.at < RECOVERED_AFTER_MS) return refusal.fault;
    if (database.kind === "pglite" && disk !== null && disk.freeBytes < FREE_AT_LEAST) return "disk-full";
    return broker.isUp() ? null : "broker";
  };
  /** Log only the start and the end of a fault. */
  const settle = (): void => {
    const fault = faultNow();
    const now = clock.now();
    if (fault === null) {
      if (shown === null) return;
      const seconds = Math.round((now - shown.since) / 1_000);
      shown = null;
      lastError = undefined;
      logger.info({ event: "storage-recovered", seconds }, "readings are stored again");
      return;
    }
    if (shown === null) {
      logger.error(
        { event: "storage-failed", fault, err: lastError, freeBytes: disk?.freeBytes },
        "readings are not being stored",
      );
    }
    shown = { fault, since: shown?.since ?? now };
  };
  const lookNow = async (): Promise<void> => {
    const space = await deps.readDisk();
    if (space) {
      forecast.note(clock.now(), space.freeBytes);
      disk = { ...space, daysLeft: forecast.daysLeft() };
    }
    try {
      await database.query(PROBE, [new Date(clock.now())], "urgent");
      probe = null;
    } catch (error) {
      lastError = error;
      probe = faultOf(error);
    }
    settle();
  };

  return {
    look() {
      if (looking) return looking;
      const now = clock.monotonic();
      if (now - lookedAt < LOOK_EVERY_MS) return Promise.resolve();
      lookedAt = now;
      looking = lookNow().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    refused(error) {
      lastError = error;
      refusal = { fault: faultOf(error), at: clock.monotonic() };
      settle();
    },
    get state() {
      return {
        fault: shown?.fault ?? null,
        since: shown === null ? null : new Date(shown.since).toISOString(),
        disk,
      };
    },
    get code() {
      return shown !== null && lastError instanceof DatabaseError ? lastError.code : null;
    },
    get databaseTakesRows() {
      return probe === null;
    },
  };
}
