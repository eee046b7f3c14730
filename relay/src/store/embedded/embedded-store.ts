import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { JOB_TIMES, type Schedule } from "../../runtime/schedule.ts";
import { repeat } from "../../runtime/timers.ts";
import { STORE_LIMITS } from "../limits.ts";
import { shardOf } from "../shard.ts";
import type { Store } from "../store.ts";
import { createDeviceCopy } from "../streams/device-copy.ts";
import { createListeners } from "../streams/listeners.ts";
import { createAccountStore, type EmbeddedAccount } from "./account-store.ts";
import { createDisplays } from "./displays.ts";
import { openDurable } from "./durable.ts";
import { openEventLog } from "./event-log.ts";
import { createOwnMessages, createOwnShards } from "./single-node.ts";
import { takeRestored } from "./take-restored.ts";
import { createProofs, createSessions } from "./tokens.ts";

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
        ["DELETE FROM commands WHERE at < ?", now() - STORE_LIMITS.commandsKeptMs],
        ["DELETE FROM waterings WHERE at < ?", now() - LIVE_LIMITS.eventsKeptMs],
      ]),
    );
  };
  const probing = repeat(timers, PROBE_MS, () => {
    if (!durable.available) attempt(() => durable.write([["UPDATE accounts SET watched = watched WHERE 0"]]));
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
    sessions: createSessions(durable),
    proofs: createProofs(now),
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
      return createAccountStore({ accountId, account, durable, clock, newEpoch });
    },
    async release(accountId, fence) {
      if (accounts.get(accountId)?.fence === fence) accounts.delete(accountId);
    },
    async watchedAccounts(shard) {
      const sql = `SELECT account FROM accounts WHERE watched = 1
        UNION SELECT account FROM intents ORDER BY account`;
      const all = durable.all(sql).map((row) => String(row.account));
      return shard === undefined ? all : all.filter((accountId) => shardOf(accountId) === shard);
    },
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
