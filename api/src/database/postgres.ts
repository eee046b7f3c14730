import pg from "pg";
import { type Database, DatabaseError, type Param, type Row } from "./database.ts";

/** Interval of the health check, and its timeout, ms. */
const PULSE_MS = 2_000;
const SILENCE_MS = 8_000;

/**
 * Check a server on a separate connection. A stopped server, or a network that drops all packets, ends no
 * connection: its clients would wait indefinitely.
 *
 * @param report called after every check: true for an answer in time
 */
function startHealthCheck(url: string, report: (alive: boolean) => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connected = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: SILENCE_MS,
      query_timeout: SILENCE_MS,
    });
    // The next check finds it broken.
    fresh.on("error", () => undefined);
    client = fresh;
    await fresh.connect();
    return fresh;
  };
  const leave = async (): Promise<void> => {
    const old = client;
    client = undefined;
    await old?.end();
  };
  const beat = async (): Promise<void> => {
    let alive = true;
    try {
      await (client ?? (await connected())).query("select 1");
    } catch {
      alive = false;
      // The server may never answer the disconnect.
      void leave().catch(() => undefined);
    }
    if (stopped) return;
    report(alive);
    timer = setTimeout(run, PULSE_MS);
  };
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = beat();
  };
  run();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await leave();
      await running;
    },
  };
}

/** Code of a statement that is not sent, because this process may no longer own the database. */
const NOT_OWNER = "not-owner";

/** PostgreSQL over pools of connections. */
export interface PostgresDatabase extends Database {
  /** End all connections in use; their statements and transactions fail. */
  breakOff(): void;
}

/** Pool sizes for history and for everything else, so that long queries leave room. */
const POOL_SIZE = 10;
const HISTORY_POOL_SIZE = 2;
const CONNECT_TIMEOUT_MS = 5_000;

const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text));
typeParsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => Date.parse(text));

/** Return an error of the driver as one of the port. */
export function databaseErrorOf(error: unknown): DatabaseError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "08006";
  return new DatabaseError(message, code);
}

async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? error : databaseErrorOf(error);
  }
}

/**
 * Return the rows of one statement. The port lets the caller name the row type that the statement produces.
 */
async function ask<T extends object>(
  connection: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly Param[] = [],
): Promise<T[]> {
  const { rows } = await connection.query(sql, [...params]);
  return rows as T[];
}

/** End a connection in use: its caller gets an error. */
function breakOff(client: pg.PoolClient): void {
  // With a query in progress, this closes the socket without a message to an unresponsive server.
  if (client instanceof pg.Client) void client.end().catch(() => undefined);
}

/**
 * Open PostgreSQL and check that it answers.
 *
 * @param how `watched`: detect a server that no longer answers, so that no statement waits indefinitely.
 * `isOwner`: while it returns false, the database counts as away: it may be another process's (KEEP-2)
 * @throws DatabaseError where it does not answer
 */
export async function openPostgres(
  url: string,
  how: { readonly watched?: boolean; readonly isOwner?: () => boolean } = {},
): Promise<PostgresDatabase> {
  let up = true;
  const busy = new Set<pg.PoolClient>();
  const poolOf = (max: number): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: url,
      max,
      types: typeParsers,
      options: "-c timezone=UTC",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // An idle connection that breaks reports it here; the next statement opens another.
    pool.on("error", () => {
      up = false;
    });
    // A connection that breaks between two statements of a transaction reports it only here. Without a
    // listener the process would end.
    pool.on("connect", (client) => {
      client.on("error", () => {
        up = false;
      });
    });
    pool.on("acquire", (client) => busy.add(client));
    pool.on("release", (_error, client) => busy.delete(client));
    pool.on("remove", (client) => busy.delete(client));
    return pool;
  };
  let healthCheck: ReturnType<typeof startHealthCheck> | undefined;
  const pool = poolOf(POOL_SIZE);
  const history = poolOf(HISTORY_POOL_SIZE);

  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      if (how.isOwner?.() === false)
        throw new DatabaseError("the database may be another process's", NOT_OWNER);
      const result = await answering(work);
      up = true;
      return result;
    } catch (error) {
      if (error instanceof DatabaseError && error.failure === "away") up = false;
      throw error;
    }
  };

  const breakOffAll = (): void => {
    up = false;
    for (const client of busy) breakOff(client);
  };
  const database: PostgresDatabase = {
    kind: "postgres",
    breakOff: breakOffAll,
    query: <T extends object = Row>(sql: string, params: readonly Param[] = [], queue = "normal") =>
      noting(() => ask<T>(queue === "history" ? history : pool, sql, params)),
    async transaction(work, queue = "normal") {
      const client = await noting(() => (queue === "history" ? history : pool).connect());
      let broken = false;
      try {
        await noting(() => client.query("begin"));
        // Errors of the work itself pass unchanged: they are not the database's.
        const result = await work({
          query: (sql, params) => noting(() => ask(client, sql, params)),
        });
        await noting(() => client.query("commit"));
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    exec: (sql) =>
      noting(async () => {
        await pool.query(sql);
      }),
    isUp: () => up,
    async close() {
      up = false;
      await healthCheck?.stop();
      await Promise.all([pool.end(), history.end()]);
    },
  };
  await database.query("select 1").catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (how.watched) {
    healthCheck = startHealthCheck(url, (alive) => {
      if (!alive) breakOffAll();
    });
  }
  return database;
}
