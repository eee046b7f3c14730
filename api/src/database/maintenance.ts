import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { FastifyBaseLogger } from "fastify";
import cron from "node-cron";
import type { Database } from "./database.ts";

const CHECKPOINT_EVERY_MS = 5 * 60_000;
const CHECKPOINT_EVERY_ROWS = 500_000;
const NIGHTLY = "17 3 * * *";
const HOURLY = "41 * * * *";

/**
 * Maintenance that PGlite never does by itself. Without it the log grew to gigabytes and dead rows stayed.
 */
export interface Maintenance {
  /** Count written rows. */
  wrote(rows: number): void;
  /** Write the log into the tables, so that its space is reused. */
  checkpoint(): Promise<void>;
  /** Vacuum tables with more dead rows than live ones. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

interface MaintenanceOptions {
  readonly timezone: string;
  readonly timers: Timers;
  /** false: vacuum runs only when it is called. */
  readonly isScheduled: boolean;
}

/** Start maintenance for PGlite. PostgreSQL has its own checkpointer and autovacuum. */
export function startMaintenance(
  database: Database,
  logger: FastifyBaseLogger,
  { timezone, timers, isScheduled }: MaintenanceOptions,
): Maintenance {
  if (database.kind === "postgres") {
    const nothing = (): Promise<void> => Promise.resolve();
    return { wrote: () => undefined, checkpoint: nothing, clear: nothing, stop: nothing };
  }
  let rows = 0;

  const job = (name: string, sql: string): Promise<void> =>
    database.query(sql, [], "history").then(
      () => logger.debug({ event: "database-job-done", job: name }, "database job done"),
      (error: unknown) =>
        logger.error({ event: "database-job-failed", err: error, job: name }, "database job failed"),
    );
  const checkpoint = (): Promise<void> => {
    rows = 0;
    return job("checkpoint", "checkpoint");
  };
  const vacuumWhereDead = async (): Promise<void> => {
    const tables = await database.query<{ name: string }>(
      "select relname as name from pg_stat_user_tables where n_dead_tup > n_live_tup and n_dead_tup > 1000",
      [],
      "history",
    );
    for (const { name } of tables) await job(`vacuum ${name}`, `vacuum (analyze) "${name}"`);
  };

  const regularly = repeat(timers, CHECKPOINT_EVERY_MS, () => void checkpoint());
  const options = { timezone, noOverlap: true };
  const tasks = isScheduled
    ? [
        cron.schedule(NIGHTLY, () => job("vacuum", "vacuum (analyze)"), options),
        cron.schedule(HOURLY, () => vacuumWhereDead(), options),
      ]
    : [];

  return {
    wrote(count) {
      rows += count;
      if (rows >= CHECKPOINT_EVERY_ROWS) void checkpoint();
    },
    checkpoint,
    clear: vacuumWhereDead,
    async stop() {
      regularly.cancel();
      for (const task of tasks) await task.destroy();
    },
  };
}
