import type { Clock } from "@mulkko/shared/rules/clock";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import {
  type AccountFeed,
  type AccountSource,
  createFeedingAccount,
  type FeedingAccount,
} from "./account-feed.ts";
import {
  ACCOUNTS_A_BATCH,
  type AccountReport,
  DEVICES_A_BATCH,
  type FleetBatch,
  type FleetVerdict,
} from "./account-report.ts";

/** What the accounts at work on this node tell the fleet's owner, gathered over all of them. */
export interface NodeFeed {
  account(accountId: string, source: AccountSource): AccountFeed;
  /** The fleet's owner on this node says whether anybody looks. */
  heard(verdict: FleetVerdict): void;
  close(): void;
}

export interface NodeFeedParts {
  readonly node: string;
  /** Hands a batch to the fleet's owner, here or elsewhere. */
  readonly send: (batch: FleetBatch) => Promise<FleetVerdict>;
  /** True where the fleet's owner is on this node, and says by itself whether anybody looks. */
  readonly isHere: () => boolean;
  /** There are no other nodes. */
  readonly alone: boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two questions to an owner elsewhere whether anybody looks. */
const ASK_EVERY_MS = 2_000;
/** ms between two batches; the first change after quiet leaves at once. */
const GATHER_MS = 200;

const NOBODY: FleetVerdict = { term: "", wanted: false };

/**
 * Nothing is gathered while nobody looks at the fleet. When somebody does, or another owner gathers it, every
 * account is said whole, and from then on what changes of it.
 */
export function createNodeFeed(parts: NodeFeedParts): NodeFeed {
  const { node, clock, timers, log } = parts;
  const accounts = new Map<string, FeedingAccount>();
  const dirty = new Set<string>();
  const over = new Set<string>();
  let verdict = NOBODY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;
  let closed = false;

  const begin = (accountId: string, account: FeedingAccount): void => {
    account.begin();
    dirty.add(accountId);
  };
  const heard = (said: FleetVerdict): void => {
    const before = verdict;
    verdict = said;
    if (!said.wanted) {
      dirty.clear();
      over.clear();
      return;
    }
    if (before.wanted && before.term === said.term) return;
    for (const [accountId, account] of accounts) begin(accountId, account);
    poke();
  };
  const take = (): FleetBatch => {
    const reports: AccountReport[] = [];
    let room = DEVICES_A_BATCH;
    for (const accountId of dirty) {
      if (room <= 0 || reports.length >= ACCOUNTS_A_BATCH) break;
      const account = accounts.get(accountId);
      if (account?.dirty) {
        const report = account.take(room);
        room -= report.devices.length + report.gone.length;
        reports.push(report);
      }
      if (!account?.dirty) dirty.delete(accountId);
    }
    const batch = { node, term: verdict.term, reports, over: [...over].slice(0, 10_000) };
    for (const accountId of batch.over) over.delete(accountId);
    return batch;
  };
  const sendOne = async (): Promise<void> => {
    sentAt = clock.monotonic();
    // What one handler changes is told together.
    await Promise.resolve();
    if (closed) return;
    try {
      heard(await parts.send(take()));
    } catch (error) {
      // What was in the batch may be lost: whoever answers next is told everything.
      const fields = { err: error };
      if (parts.isHere()) log.error(fields, "the fleet's owner was not told");
      else log.debug(fields, "the fleet's owner was not told");
      verdict = NOBODY;
      dirty.clear();
    }
  };
  const poke = (): void => {
    if (closed || running || !verdict.wanted || dirty.size + over.size === 0) return;
    const waits = GATHER_MS - (clock.monotonic() - sentAt);
    timer?.cancel();
    if (waits > 0) {
      timer = timers.after(waits, poke);
      return;
    }
    running = sendOne().finally(() => {
      running = undefined;
      poke();
    });
  };
  const ask = (): void => {
    asking = timers.after(ASK_EVERY_MS, ask);
    if (parts.isHere() || running) return;
    running = sendOne().finally(() => {
      running = undefined;
      poke();
    });
  };
  let asking = parts.alone ? undefined : timers.after(ASK_EVERY_MS, ask);

  return {
    heard,
    account(accountId, source) {
      const account = createFeedingAccount(accountId, source, clock);
      accounts.set(accountId, account);
      over.delete(accountId);
      const touched = (change: () => void): void => {
        if (!verdict.wanted || accounts.get(accountId) !== account) return;
        change();
        if (!account.dirty) return;
        dirty.add(accountId);
        poke();
      };
      if (verdict.wanted) {
        begin(accountId, account);
        poke();
      }
      return {
        changed: (key) => touched(() => account.changed(key)),
        logged: (event) => touched(() => account.logged(event)),
        close() {
          if (accounts.get(accountId) !== account) return;
          accounts.delete(accountId);
          dirty.delete(accountId);
          if (verdict.wanted) over.add(accountId);
          poke();
        },
      };
    },
    close() {
      closed = true;
      timer?.cancel();
      asking?.cancel();
    },
  };
}
