import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import { RESTORED_STORE_FILE } from "@mulkko/shared/store/relay-files";
import { JOB_TIMES, type Schedule } from "../../runtime/schedule.ts";
import { Documents } from "../documents.ts";
import { shardOf } from "../shard.ts";
import type { Store } from "../store.ts";
import { createDeviceCopy } from "../streams/device-copy.ts";
import { createListeners } from "../streams/listeners.ts";
import { createAccountStore, type EmbeddedAccount } from "./account-store.ts";
import { createDisplays } from "./displays.ts";
import { openDurable, prepareSchema } from "./durable.ts";
import { openEventLog } from "./event-log.ts";
import { createMemoryPassing } from "./memory-passing.ts";
import { createOwnMessages, createOwnShards } from "./single-node.ts";
import { DocumentTables } from "./sqlite-documents.ts";

/** Dependencies of the embedded store. */
export interface EmbeddedStoreDeps {
  /** Path of the SQLite file, or `:memory:`. */
  readonly file: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly schedule: Schedule;
  /** Return a name for an epoch that was never used before. */
  readonly newEpoch: () => string;
  readonly onError: (error: unknown) => void;
}

const PROBE_MS = 10_000;

/** Create the store of a single node (NODE-4): state in memory, and on disk what must survive a restart. */
export function createEmbeddedStore(deps: EmbeddedStoreDeps): Store {
  const { clock, timers, schedule, newEpoch, onError } = deps;
  const now = (): number => clock.now();
  const available = createListeners<boolean>(onError);
  takeRestored(deps.file, newEpoch);
  const durable = openDurable(deps.file, available.call);
  const tables = new DocumentTables(durable, now, onError);
  const accounts = new Map<string, EmbeddedAccount>();
  let fences = 0;

  const accountOf = (accountId: string): EmbeddedAccount => {
    const known = accounts.get(accountId);
    if (known) return known;
    const account: EmbeddedAccount = {
      fence: 0,
      devices: createDeviceCopy(newEpoch(), onError),
      events: openEventLog(accountId, durable, now, newEpoch, onError),
      claims: new Map(),
    };
    accounts.set(accountId, account);
    return account;
  };

  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      onError(error);
    }
  };
  const prune = (): void => {
    attempt(() =>
      durable.write([
        ["DELETE FROM events WHERE at < ?", now() - LIVE_LIMITS.eventsKeptMs],
        [
          `DELETE FROM events WHERE number <= (SELECT event_offset FROM accounts a
            WHERE a.account = events.account) - ${LIVE_LIMITS.eventsKept}`,
        ],
      ]),
    );
    tables.prune();
  };
  const probing = repeat(timers, PROBE_MS, () => {
    if (!durable.available) attempt(durable.probe);
  });
  // Delete at once what expired while the relay was stopped.
  const firstPrune = timers.after(0, prune);
  const pruning = schedule.at(JOB_TIMES.store, prune);

  return {
    kind: "embedded",
    now,
    get available() {
      return durable.available;
    },
    onAvailable: available.add,
    shortcomings: [],
    opened: async () => undefined,
    shards: createOwnShards(onError),
    ...createOwnMessages(newEpoch(), onError),
    documents: (accountId) =>
      new Documents(
        tables.ofAccount(accountId, () => undefined),
        "any-node",
      ),
    passing: createMemoryPassing(now),
    displays: createDisplays(durable, now, newEpoch()),
    async attach(accountId) {
      const { devices, events } = accountOf(accountId);
      // The copy is the account's state itself: the account's release removes it.
      return { devices: devices.stream, events: events.copy.stream, detach: () => undefined };
    },
    async claim(accountId) {
      const account = accountOf(accountId);
      fences += 1;
      account.fence = fences;
      return createAccountStore({ accountId, account, tables, clock, newEpoch });
    },
    async release(accountId, fence) {
      if (accounts.get(accountId)?.fence === fence) accounts.delete(accountId);
    },
    async watchedAccounts(shard) {
      const rows = durable.all("SELECT account FROM accounts WHERE watched = 1 ORDER BY account");
      return ofShard(
        rows.map((row) => String(row.account)),
        shard,
      );
    },
    accountsWith: async (of, shard) => ofShard(tables.accountsWith(of), shard),
    async watchAccount(accountId) {
      accountOf(accountId);
      durable.write([["UPDATE accounts SET watched = 1 WHERE account = ? AND watched = 0", accountId]]);
    },
    async unwatchAccount(accountId) {
      durable.write([["UPDATE accounts SET watched = 0 WHERE account = ?", accountId]]);
    },
    resync: async () => 0,
    async close() {
      firstPrune.cancel();
      pruning.cancel();
      probing.cancel();
      durable.close();
    },
  };
}

const ofShard = (accountIds: string[], shard: number | undefined): string[] =>
  shard === undefined ? accountIds : accountIds.filter((accountId) => shardOf(accountId) === shard);

/**
 * Replace the relay's store by the one that a restore put beside it. The caller holds the folder, and no
 * process has either file open. Each account's event log gets a new epoch: screens know events from after the
 * backup, and their numbers will be used again.
 * @param file the relay's store, or `:memory:`
 * @param newEpoch names a log
 * @throws NewerSchemaError for a store of a newer version; both are left unchanged
 */
function takeRestored(file: string, newEpoch: () => string): void {
  const restored = join(dirname(file), RESTORED_STORE_FILE);
  if (file === ":memory:" || !existsSync(restored)) return;
  const database = new DatabaseSync(restored);
  try {
    prepareSchema(database, restored);
    const accounts = database.prepare("SELECT account FROM accounts").all();
    const rename = database.prepare("UPDATE accounts SET event_epoch = ? WHERE account = ?");
    // Without a write-ahead log beside it, the file alone can be moved.
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; BEGIN");
    for (const { account } of accounts) rename.run(newEpoch(), account ?? null);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  // The old file's log would be applied to the new one. After a crash before the
  // move the next start does both again.
  for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
  renameSync(restored, file);
}
