import type { Timers } from "@mulkko/shared/rules/clock";
import pLimit from "p-limit";
import type { Log } from "../runtime/log.ts";
import { notPersisted, StoreUnavailableError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { INTENTS } from "../valves/intent.ts";

/** Activates accounts that are watched without a viewer (CRED-1 a, RUN-3). */
export interface AccountRecovery {
  /** Recover the accounts of all of this node's shards, and later those of each received shard. */
  resume(): Promise<void>;
  /** Retry accounts that could not be read; failures are logged. */
  again(): void;
  /** This node has received a shard. */
  shardCame(shard: number): void;
  shardWent(shard: number): void;
  close(): void;
}

/** Number of accounts recovered concurrently. */
const AT_ONCE = 8;
/** Delay before an account that could not be read is retried, ms. */
const AGAIN_MS = 30_000;
/** ms within which received shards are recovered together: a failed node releases many at once. */
const TOGETHER_MS = 100;

/**
 * @param deps.read reads an account; rejects with an `UpstreamError`
 * @param deps.isReachable false while the farm API is away: once it is there, all are read again
 * @param deps.atMost upper bound of accounts that one node recovers
 */
export function createAccountRecovery(deps: {
  store: Pick<Store, "watchedAccounts" | "accountsWith">;
  timers: Timers;
  log: Log;
  isReachable: () => boolean;
  atMost: number;
  read: (accountId: string) => Promise<unknown>;
}): AccountRecovery {
  const { store, timers, log } = deps;
  const inTurn = pLimit(AT_ONCE);
  const came = new Set<number>();
  let coming: { cancel(): void } | undefined;
  let later: { cancel(): void } | undefined;
  let resuming: Promise<void> | undefined;
  let started = false;
  let closed = false;

  /** Return the watched accounts and those with an open intent (RUN-3), of all of this node's shards or of one. */
  const toRecover = async (shard?: number): Promise<string[]> => {
    const lists = [store.watchedAccounts(shard), store.accountsWith(INTENTS, shard)];
    return [...new Set((await Promise.all(lists)).flat())].sort();
  };
  const recover = async (accountId: string): Promise<"read" | "refused" | "unread" | "storeless"> => {
    try {
      await deps.read(accountId);
      return "read";
    } catch (error) {
      log.debug(
        { event: "recovery-unread", err: error, account: accountId },
        "failed to read account, will retry",
      );
      if (error instanceof NoAccessError) return "refused";
      return error instanceof StoreUnavailableError ? "storeless" : "unread";
    }
  };
  const recoverAll = async (accountIds: readonly string[]): Promise<void> => {
    const outcomes = { read: 0, refused: 0, unread: 0, storeless: 0 };
    await inTurn.map(accountIds.slice(0, deps.atMost), async (accountId) => {
      if (!closed) outcomes[await recover(accountId)] += 1;
    });
    const { refused, unread, storeless } = outcomes;
    // The node has already reported that the store is unavailable; and without the API nothing can be read yet.
    if (refused + unread > 0 && deps.isReachable())
      log.warn({ event: "recovery-incomplete", ...outcomes }, "failed to recover some watched accounts");
    // Refused accounts are retried like all others after the API was unavailable.
    if (unread + storeless === 0 || closed) return;
    later?.cancel();
    later = timers.after(AGAIN_MS, again);
  };
  const resume = (): Promise<void> => {
    started = true;
    resuming ??= toRecover()
      .then(recoverAll)
      .finally(() => {
        resuming = undefined;
      });
    return resuming;
  };
  const failed = notPersisted(
    log,
    "error",
    { event: "recovery-failed" },
    "failed to recover watched accounts",
  );
  const again = (): void => {
    resume().catch(failed);
  };

  return {
    resume,
    again,
    shardCame(shard) {
      if (!started || closed) return;
      came.add(shard);
      coming ??= timers.after(TOGETHER_MS, () => {
        coming = undefined;
        const shards = [...came];
        came.clear();
        Promise.all(shards.map(toRecover))
          .then((lists) => recoverAll(lists.flat()))
          .catch(failed);
      });
    },
    shardWent: (shard) => void came.delete(shard),
    close() {
      closed = true;
      coming?.cancel();
      later?.cancel();
    },
  };
}
