import pg from "pg";
import { type Database, DatabaseError, isTemporaryCode, type Param, type Row } from "./database.ts";
import { startPulse } from "./pulse.ts";

/** Connections for everything but history, and for history, so that long questions leave room. */
const POOL_SIZE = 10;
const HISTORY_POOL_SIZE = 2;
const CONNECT_TIMEOUT_MS = 5_000;

const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, (text: string) => Number(text));
typeParsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => Date.parse(text));

function classified(error: unknown): DatabaseError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "08006";
  return new DatabaseError(message, code, isTemporaryCode(code));
}

async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? error : classified(error);
  }
}

/** Rows of one statement. The port lets the caller name the row type: the statement is its proof. */
async function ask<T extends object>(
  connection: pg.Pool | pg.PoolClient,
  sql: string,
  params: readonly Param[] = [],
): Promise<T[]> {
  const { rows } = await connection.query(sql, [...params]);
  return rows as T[];
}

/** Ends a connection that is in use: whoever waits for its answer is told that there is none. */
function breakOff(client: pg.PoolClient): void {
  // Where a question is under way this closes the socket, without a word to a server that does not listen.
  if (client instanceof pg.Client) void client.end().catch(() => undefined);
}

/**
 * Opens PostgreSQL and proves that it answers.
 *
 * @param how `watched`: a server that does not answer any more is noticed, and no statement waits for it for ever
 * @throws DatabaseError where it does not answer
 */
export async function openPostgres(url: string, how: { readonly watched?: boolean } = {}): Promise<Database> {
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
    // An idle connection that breaks says so here; the next statement opens another.
    pool.on("error", () => {
      up = false;
    });
    // One that breaks in the middle of a transaction, between two statements, has nobody else to say it to: without
    // a listener that ends the process.
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
  let pulse: ReturnType<typeof startPulse> | undefined;
  const pool = poolOf(POOL_SIZE);
  const history = poolOf(HISTORY_POOL_SIZE);

  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await answering(work);
      up = true;
      return result;
    } catch (error) {
      if (error instanceof DatabaseError && error.temporary) up = false;
      throw error;
    }
  };

  const database: Database = {
    kind: "postgres",
    query: <T extends object = Row>(sql: string, params: readonly Param[] = [], lane = "normal") =>
      noting(() => ask<T>(lane === "history" ? history : pool, sql, params)),
    async transaction(work, lane = "normal") {
      const client = await noting(() => (lane === "history" ? history : pool).connect());
      let broken = false;
      try {
        await noting(() => client.query("begin"));
        // What the work itself throws goes on as it is: it is no word of the database.
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
      await pulse?.stop();
      await Promise.all([pool.end(), history.end()]);
    },
  };
  await database.query("select 1").catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  if (how.watched) {
    pulse = startPulse(url, (alive) => {
      if (alive) return;
      up = false;
      for (const client of busy) breakOff(client);
    });
  }
  return database;
}
