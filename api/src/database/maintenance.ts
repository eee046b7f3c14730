import type { FastifyBaseLogger } from "fastify";
import cron from "node-cron";
import type { Database } from "./database.ts";

const CHECKPOINT_EVERY_MS = 5 * 60_000;
const CHECKPOINT_EVERY_ROWS = 500_000;
const NIGHTLY = "17 3 * * *";
const HOURLY = "41 * * * *";

/** Chores that PGlite never does by itself: without them its log grew to gigabytes and dead rows stay. */
export interface Maintenance {
  /** To be told how many rows were written. */
  wrote(rows: number): void;
  /** Writes what is in the log into its tables, so that the log can be used again. */
  checkpoint(): Promise<void>;
  /** Clears tables that have more dead rows than living ones. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL has its own checkpointer and autovacuum; only PGlite gets chores. */
export function startMaintenance(
  database: Database,
  logger: FastifyBaseLogger,
  timezone: string,
): Maintenance {
  if (database.kind === "postgres") {
    const nothing = (): Promise<void> => Promise.resolve();
    return { wrote: () => undefined, checkpoint: nothing, clear: nothing, stop: nothing };
  }
  let rows = 0;

  const chore = (name: string, sql: string): Promise<void> =>
    database.query(sql, [], "history").then(
      () => logger.debug({ chore: name }, "database chore done"),
      (error: unknown) => logger.error({ err: error, chore: name }, "database chore failed"),
    );
  const checkpoint = (): Promise<void> => {
    rows = 0;
    return chore("checkpoint", "checkpoint");
  };
  const vacuumWhereDead = async (): Promise<void> => {
    const tables = await database.query<{ name: string }>(
      "select relname as name from pg_stat_user_tables where n_dead_tup > n_live_tup and n_dead_tup > 1000",
      [],
      "history",
    );
    for (const { name } of tables) await chore(`vacuum ${name}`, `vacuum (analyze) "${name}"`);
  };

  const timer = setInterval(() => void checkpoint(), CHECKPOINT_EVERY_MS);
  timer.unref();
  const options = { timezone, noOverlap: true };
  const nightly = cron.schedule(NIGHTLY, () => chore("vacuum", "vacuum (analyze)"), options);
  const hourly = cron.schedule(HOURLY, () => vacuumWhereDead(), options);

  return {
    wrote(count) {
      rows += count;
      if (rows >= CHECKPOINT_EVERY_ROWS) void checkpoint();
    },
    checkpoint,
    clear: vacuumWhereDead,
    async stop() {
      clearInterval(timer);
      await nightly.destroy();
      await hourly.destroy();
    },
  };
}
