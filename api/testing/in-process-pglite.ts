import { PGlite } from "@electric-sql/pglite";
import {
  type Database,
  DatabaseError,
  type Param,
  type Queryable,
  type QueryQueue,
  type Row,
} from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { createQueryQueues, inTransaction } from "../src/database/pglite.ts";
import { pgliteOptions } from "../src/database/pglite-options.ts";
import { PreparedStatements } from "../src/database/prepared-statements.ts";

/** Waits for work that takes turns of the event loop, such as `untilDone` of the simulated world. */
type Wait = <T>(work: Promise<T>) => Promise<T>;

/** Condition of the store that a statement meets before it runs: it may hang or refuse. */
export type BeforeStatement = (sql: string) => Promise<void> | null;

/** A connection of one process to the database in this process. */
export interface InProcessConnection {
  readonly database: Database;
  /** End the connection as a killed process does: what is not committed is rolled back. */
  kill(): void;
}

const gone = (): DatabaseError => new DatabaseError("the database is not running", "08006");

function errorOf(error: unknown): DatabaseError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "XX000";
  return new DatabaseError(error instanceof Error ? error.message : String(error), code);
}

/**
 * The embedded database in memory and in this thread, so that each statement ends in a known turn of the event loop.
 * It outlives the processes that use it.
 */
export class InProcessPglite {
  readonly #pglite: PGlite;
  readonly #statements: PreparedStatements;
  readonly #wait: Wait;
  readonly #queues = createQueryQueues();
  readonly #tables: readonly string[];
  #before: BeforeStatement = () => null;

  private constructor(pglite: PGlite, wait: Wait, tables: readonly string[]) {
    this.#pglite = pglite;
    this.#statements = new PreparedStatements(pglite);
    this.#wait = wait;
    this.#tables = tables;
  }

  /** Create the database with the tables of the newest schema. It takes seconds. */
  static async create(wait: Wait): Promise<InProcessPglite> {
    const pglite = await PGlite.create("memory://", {
      ...pgliteOptions,
      startParams: [...(pgliteOptions.startParams ?? []), "-c", "fsync=off", "-c", "synchronous_commit=off"],
    });
    const whole = new InProcessPglite(pglite, wait, []);
    await migrate(whole.connect().database);
    const { rows } = await pglite.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migration'",
    );
    return new InProcessPglite(
      pglite,
      wait,
      rows.map(({ name }) => name),
    );
  }

  /** Set what every statement meets from now on. */
  set before(before: BeforeStatement) {
    this.#before = before;
  }

  /** Empty all tables, as after the first start. */
  async clear(): Promise<void> {
    this.#before = () => null;
    const names = this.#tables.map((name) => `"${name}"`);
    await this.#pglite.exec(
      `set session_replication_role = replica; ${names.map((name) => `delete from ${name}`).join(";")};
       set session_replication_role = default`,
    );
    const { rows } = await this.#pglite.query<{ name: string }>(
      "select sequencename as name from pg_sequences where schemaname = 'public'",
    );
    await this.#pglite.exec(rows.map(({ name }) => `alter sequence "${name}" restart`).join(";"));
  }

  close(): Promise<void> {
    return this.#pglite.close();
  }

  connect(): InProcessConnection {
    let isUp = true;
    const statement = async (sql: string, params: readonly Param[] = []): Promise<Row[]> => {
      try {
        return await this.#wait(this.#statements.query(sql, params));
      } catch (error) {
        throw errorOf(error);
      }
    };
    // The port lets the caller name the row type that the statement produces.
    const ask = async <T extends object = Row>(sql: string, params: readonly Param[] = []): Promise<T[]> => {
      if (!isUp) throw gone();
      await this.#before(sql);
      if (!isUp) throw gone();
      return (await statement(sql, params)) as T[];
    };
    const queues = this.#queues;
    const transaction = <T>(work: (tx: Queryable) => Promise<T>, queue: QueryQueue = "normal"): Promise<T> =>
      queues.run(queue, () => inTransaction(ask, work, async () => void (await statement("rollback"))));
    return {
      database: {
        kind: "pglite",
        query: <T extends object = Row>(
          sql: string,
          params: readonly Param[] = [],
          queue: QueryQueue = "normal",
        ) => queues.run(queue, () => ask<T>(sql, params)),
        transaction,
        exec: (sql) =>
          queues.run("normal", async () => {
            if (!isUp) throw gone();
            await this.#wait(this.#statements.exec(sql));
          }),
        isUp: () => isUp,
        async close() {
          isUp = false;
        },
      },
      kill() {
        isUp = false;
      },
    };
  }
}
