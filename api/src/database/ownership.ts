import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Database } from "./database.ts";
import { databaseErrorOf } from "./postgres.ts";

/** Interval of the owner's signs of life, ms. A stand-by tries to lock twice in it. */
const BEAT_MS = 1_000;
/** Time without an answer after which an owner no longer counts itself as one, ms. */
const SILENCE_MS = 5_000;
/**
 * Time without a sign of life after which the server ends the owner's session, and so frees the lock, ms. Longer
 * than `BEAT_MS` and `SILENCE_MS` together: an owner that is cut off stops first.
 */
const LEASE_MS = 12_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Time without a sign of life after which the lock may be another's, also of a process that was frozen, ms. */
const CERTAIN_MS = LEASE_MS - 2_000;

/** The two numbers of the advisory lock; locks of a database are its own. */
const LOCK = [0x6d756c6b, 1] as const;
/** Key of `setting` with the number of owners so far. */
const TERM = "owner-term";

/** No setting of the server or the role may end the owner's transaction, except for the lease. */
const SETTINGS = `select set_config(name, case name when 'idle_in_transaction_session_timeout' then $1 else '0' end, true)
  from pg_settings where name in ('idle_in_transaction_session_timeout', 'statement_timeout', 'lock_timeout',
    'transaction_timeout')`;
const HOLDER = `select application_name as name, host(client_addr) as address
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = $1::int::oid and objid = $2::int::oid and objsubid = 2
    and pg_locks.database = (select oid from pg_database where datname = current_database())`;

interface Holder {
  readonly name: string;
  readonly address: string | null;
}

/** Time between two attempts of a stand-by to lock the database, ms: it is not longer without the lock (KEEP-2). */
export const STAND_BY_TRIES_MS = BEAT_MS / 2;

/** A holder that ended, or began, between the attempt to lock and the question who has the lock. */
export const NAMELESS = "a farm API that has just begun or ended";

/** The lock that a stand-by waits for. */
export interface AwaitedLock {
  /** Lock the database. @returns null, or a description of the process that has the lock */
  tryLock(): Promise<string | null>;
  /** Break off a failed attempt. */
  reset(): Promise<void>;
  wait(ms: number): Promise<void>;
}

/**
 * Wait until the database is locked.
 *
 * @throws DatabaseError where the server does not answer at first, or what `onStandBy` throws
 */
export async function waitForLock(
  lock: AwaitedLock,
  onStandBy: (holder: string) => void,
  everyMs = STAND_BY_TRIES_MS,
): Promise<void> {
  let shown: string | undefined;
  for (;;) {
    const found = await lock.tryLock().catch(async (error: unknown) => {
      await lock.reset();
      // A stand-by outlives an outage of the database; at the start it is a fault of the configuration.
      if (shown === undefined) throw databaseErrorOf(error);
      return shown;
    });
    if (found === null) return;
    if (found !== shown && (shown === undefined || found !== NAMELESS)) {
      shown = found;
      try {
        onStandBy(shown);
      } catch (error) {
        await lock.reset();
        throw error;
      }
    }
    await lock.wait(everyMs);
  }
}

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "owner" }
  | { readonly kind: "suspended" }
  | { readonly kind: "lost" }
  | { readonly kind: "closed" };

export interface OwnershipOptions {
  /** Called with a description of the owner when there is one, and when it has changed. May throw to give up. */
  readonly onStandBy: (holder: string) => void;
  readonly beatMs?: number;
}

/** Callbacks of the process that owns the database. */
interface Listeners {
  /** The lock may be another's from now on: nothing may be written. */
  suspended(): void;
  /** Another process has owned the database; only a new process can continue. */
  lost(holder: string): void;
}

/**
 * The right of one farm API to a PostgreSQL database (KEEP-2): an advisory lock in a transaction that stays open,
 * on a connection of its own. It ends with the process, however the process ends, and also behind a pooler in
 * transaction mode.
 *
 * ```
 * waiting ──locked──▶ owner ──no answer──▶ suspended ──locked again, the term is ours──▶ owner
 *                                              └──locked by another, or another's term──▶ lost
 * waiting, owner, suspended, lost ──close──▶ closed
 * ```
 *
 * | state | may write | what it does |
 * | --- | --- | --- |
 * | waiting | no | tries to lock, twice a second |
 * | owner | yes | shows signs of life, once a second |
 * | suspended | no | tries to lock again; the database may be away, too |
 * | lost | no | nothing; the process ends |
 * | closed | no | nothing |
 */
export class DatabaseOwnership {
  readonly #url: string;
  readonly #beatMs: number;
  readonly #name =
    `mulkko-api on ${hostname().slice(0, 24)}, process ${process.pid}, ${randomBytes(3).toString("hex")}`;
  readonly #stop = new AbortController();
  /** Monotonic time at which the server last answered the owner, ms. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #state: State = { kind: "waiting" };
  #client: pg.Client | undefined;
  /** The number of this owner, among all owners of the database; undefined until `begin`. */
  #term: string | undefined;
  #listeners: Listeners | undefined;
  #beating: Promise<void> = Promise.resolve();

  private constructor(url: string, beatMs: number) {
    this.#url = url;
    this.#beatMs = beatMs;
  }

  /**
   * Wait until the database is this process's.
   *
   * @throws DatabaseError where the server does not answer at first, or what `onStandBy` throws
   */
  static async acquire(
    url: string,
    { onStandBy, beatMs = BEAT_MS }: OwnershipOptions,
  ): Promise<DatabaseOwnership> {
    const ownership = new DatabaseOwnership(url, beatMs);
    const lock: AwaitedLock = {
      async tryLock() {
        const holder = await ownership.#tryLock();
        return holder && describe(holder);
      },
      reset: () => ownership.#disconnect(),
      wait: (ms) => sleep(ms),
    };
    await waitForLock(lock, onStandBy, beatMs / 2);
    ownership.#become("owner");
    ownership.#beating = ownership.#beat();
    return ownership;
  }

  isOwner(): boolean {
    return this.#state.kind === "owner" && performance.now() - this.#answeredAt < CERTAIN_MS;
  }

  /** Add the callbacks. Only one caller has them. */
  listen(listeners: Listeners): void {
    this.#listeners = listeners;
  }

  /** Count this owner in the migrated database. Until then no other process can have owned it unnoticed. */
  async begin(database: Database): Promise<void> {
    const [row] = await database.query<{ value: string }>(
      `insert into setting (key, value) values ($1, '1')
       on conflict (key) do update set value = (setting.value::int8 + 1)::text returning value`,
      [TERM],
    );
    this.#term = row?.value;
  }

  /** Free the lock. */
  async close(): Promise<void> {
    if (this.#state.kind === "closed") return;
    this.#state = { kind: "closed" };
    this.#stop.abort();
    await this.#disconnect();
    await this.#beating;
  }

  #become(kind: "owner"): void {
    this.#state = { kind };
    this.#answeredAt = performance.now();
  }

  async #beat(): Promise<void> {
    while (this.#state.kind === "owner" || this.#state.kind === "suspended") {
      try {
        await sleep(this.#beatMs, undefined, { signal: this.#stop.signal });
      } catch {
        // Closed.
        return;
      }
      if (this.#state.kind === "owner") await this.#showLife();
      else if (this.#state.kind === "suspended") await this.#regain();
    }
  }

  async #showLife(): Promise<void> {
    try {
      await this.#client?.query("select 1");
      this.#answeredAt = performance.now();
    } catch {
      this.#suspend();
    }
  }

  #suspend(): void {
    if (this.#state.kind !== "owner") return;
    this.#state = { kind: "suspended" };
    this.#listeners?.suspended();
    void this.#disconnect();
  }

  async #regain(): Promise<void> {
    try {
      const holder = await this.#tryLock();
      // The server has not yet noticed that the former connection of this process has ended.
      if (holder?.name === this.#name) return;
      if (holder !== null) return this.#lose(describe(holder));
      if (this.#term !== undefined && (await this.#storedTerm()) !== this.#term) {
        return this.#lose("another farm API");
      }
      if (this.#state.kind === "suspended") this.#become("owner");
    } catch {
      // The database is away, and no other process can own it either.
      await this.#disconnect();
    }
  }

  async #storedTerm(): Promise<unknown> {
    // The transaction stays open, but its lock of the table must not.
    await this.#client?.query("savepoint term");
    const answer = await this.#client?.query("select value from setting where key = $1", [TERM]);
    await this.#client?.query("rollback to savepoint term");
    return answer?.rows[0]?.value;
  }

  #lose(holder: string): void {
    if (this.#state.kind !== "suspended") return;
    this.#state = { kind: "lost" };
    this.#listeners?.lost(holder);
  }

  /** Lock the database. @returns null, or the process that has the lock */
  async #tryLock(): Promise<Holder | null> {
    const client = this.#client ?? (await this.#connect());
    await client.query("begin");
    await client.query(SETTINGS, [`${LEASE_MS}ms`]);
    const { rows } = await client.query("select pg_try_advisory_xact_lock($1::int, $2::int) as locked", [
      ...LOCK,
    ]);
    if (rows[0]?.locked === true) return null;
    const found = await client.query<Holder>(HOLDER, [...LOCK]);
    await client.query("rollback");
    return found.rows[0] ?? { name: NAMELESS, address: null };
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    // Broken between two signs of life: nothing may be written from this moment on.
    const broken = (): void => {
      if (this.#client === client) this.#suspend();
    };
    client.on("error", broken);
    client.on("end", broken);
    this.#client = client;
    await client.connect();
    await client.query(`set application_name = ${pg.escapeLiteral(this.#name)}`);
    return client;
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // A server that does not answer frees the lock after the lease.
    await Promise.race([client?.end().catch(() => undefined), sleep(SILENCE_MS, undefined, { ref: false })]);
  }
}

const describe = ({ name, address }: Holder): string => (address === null ? name : `${name} (${address})`);
