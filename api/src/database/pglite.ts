import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import {
  type Database,
  DatabaseError,
  type Param,
  type Queryable,
  type QueryQueue,
  type Row,
} from "./database.ts";
import type { WorkerAnswer, WorkerRequest } from "./pglite-messages.ts";

/** Most statements that wait for one connection before new ones are refused. */
const MAX_WAITING = 20_000;

const ORDER: readonly QueryQueue[] = ["urgent", "normal", "history"];

/** Run one job at a time; a waiting urgent one runs first. */
interface QueryQueues {
  /** @throws RangeError at once, where {@link MAX_WAITING} jobs are waiting */
  run<T>(queue: QueryQueue, job: () => Promise<T>): Promise<T>;
}

export function createQueryQueues(): QueryQueues {
  const waiting: Record<QueryQueue, (() => Promise<void>)[]> = { urgent: [], normal: [], history: [] };
  let count = 0;
  let busy = false;

  const next = (): void => {
    if (busy) return;
    const queue = ORDER.find((name) => waiting[name].length > 0);
    const job = queue && waiting[queue].shift();
    if (!job) return;
    count -= 1;
    busy = true;
    void job().finally(() => {
      busy = false;
      next();
    });
  };

  return {
    run<T>(queue: QueryQueue, job: () => Promise<T>): Promise<T> {
      if (count >= MAX_WAITING) throw new RangeError("too many statements wait for the database");
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting[queue].push(() => job().then(resolve, reject));
      count += 1;
      next();
      return promise;
    },
  };
}

/** Run work in a transaction of a connection that does nothing else meanwhile. */
export async function inTransaction<T>(
  query: Queryable["query"],
  work: (tx: Queryable) => Promise<T>,
  rollBack: () => Promise<void>,
): Promise<T> {
  await query("begin");
  try {
    const result = await work({ query });
    await query("commit");
    return result;
  } catch (error) {
    await rollBack();
    throw error;
  }
}

const run = promisify(execFile);
const CREATE = fileURLToPath(new URL("./pglite-create.ts", import.meta.url));
const WORKER = new URL("./pglite-worker.ts", import.meta.url);

/**
 * Create the cluster in a temporary folder and move it into place, so that a crash leaves nothing incomplete.
 */
export async function createPgliteFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, "PG_VERSION"))) return;
  const fresh = `${folder}.${process.pid}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await run(process.execPath, [CREATE, fresh]);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** The embedded database cannot be opened; the message is a sentence for the operator. */
export class DamagedDatabaseError extends Error {
  override readonly name = "DamagedDatabaseError";

  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : "its thread has ended";
    super(
      `The embedded database ${resolve(folder)} cannot be opened (${reason}): move this folder away, and restore the newest backup of DATA_DIR/backups (docs/import-backup.md#restore).`,
      { cause },
    );
  }
}

type WithoutId<R> = R extends WorkerRequest ? Omit<R, "id"> : never;

interface Waiting {
  resolve(rows: object[]): void;
  reject(error: Error): void;
}

const gone = (): DatabaseError => new DatabaseError("the database is not running", "08006");

/**
 * Open PGlite in a worker thread, so that no statement blocks this thread's event loop. This process alone
 * must hold the folder (see the folder lock).
 *
 * @param onLost called once if the thread dies by itself; only a new process can recover
 */
export async function openPglite(folder: string, onLost: () => void): Promise<Database> {
  await createPgliteFolder(folder);
  const worker = new Worker(WORKER, { workerData: folder });
  const waiting = new Map<number, Waiting>();
  const queues = createQueryQueues();
  let up = true;
  let lastId = 0;

  let isOpen = false;
  const fail = (cause?: unknown): void => {
    if (up && isOpen) onLost();
    up = false;
    // Before its first answer it could not open the folder.
    if (!isOpen) waiting.get(-1)?.reject(new DamagedDatabaseError(folder, cause));
    for (const { reject } of waiting.values()) reject(gone());
    waiting.clear();
  };
  const wait = (id: number): Promise<object[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    waiting.set(id, { resolve, reject });
    return promise;
  };
  worker.on("error", fail);
  worker.on("exit", () => fail());
  worker.on("message", (answer: WorkerAnswer) => {
    const entry = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) entry?.resolve(answer.rows);
    else entry?.reject(new DatabaseError(answer.message, answer.code));
  });
  await wait(-1);
  isOpen = true;

  const send = (request: WithoutId<WorkerRequest>): Promise<object[]> => {
    if (!up) return Promise.reject(gone());
    lastId += 1;
    const answered = wait(lastId);
    worker.postMessage({ ...request, id: lastId });
    return answered;
  };
  // The port lets the caller name the row type that the statement produces.
  const ask = async <T extends object = Row>(sql: string, params: readonly Param[] = []): Promise<T[]> =>
    (await send({ kind: "query", sql, params })) as T[];

  return {
    kind: "pglite",
    query: <T extends object = Row>(
      sql: string,
      params: readonly Param[] = [],
      queue: QueryQueue = "normal",
    ) => queues.run(queue, () => ask<T>(sql, params)),
    transaction: (work, queue = "normal") =>
      queues.run(queue, () => inTransaction(ask, work, async () => void (up && (await ask("rollback"))))),
    exec: (sql) =>
      queues.run("normal", async () => {
        await send({ kind: "exec", sql });
      }),
    isUp: () => up,
    close: () =>
      queues.run("history", async () => {
        if (!up) return;
        const closed = send({ kind: "close" });
        up = false;
        await closed;
        await worker.terminate();
      }),
  };
}
