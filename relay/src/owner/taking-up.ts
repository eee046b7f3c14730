import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { Store } from "../store/store.ts";
import { NoAccessError } from "../upstream/errors.ts";

/** Brings accounts to work that are watched on without a viewer (CRED-1 a, RUN-3). */
export interface TakingUp {
  /** All of this node's shards; from now on also those of each shard that comes. */
  resume(): Promise<void>;
  /** The same, for what could not be read before; what fails is logged. */
  again(): void;
  /** A shard has come to this node. */
  shardCame(shard: number): void;
  shardWent(shard: number): void;
  close(): void;
}

/** Accounts that are taken up at the same time. */
const AT_ONCE = 8;
/** ms until an account that could not be read is tried again. */
const AGAIN_MS = 30_000;
/** ms within which shards that come are taken up together: many come at once when a node is gone. */
const TOGETHER_MS = 100;

/**
 * @param parts.read reads an account; rejects with an `UpstreamError`
 * @param parts.atMost accounts that one node takes up
 */
export function createTakingUp(parts: {
  store: Store;
  timers: Timers;
  log: Log;
  atMost: number;
  read: (accountId: string) => Promise<unknown>;
}): TakingUp {
  const { store, timers, log } = parts;
  const came = new Set<number>();
  let coming: { cancel(): void } | undefined;
  let later: { cancel(): void } | undefined;
  let resuming: Promise<void> | undefined;
  let started = false;
  let closed = false;

  const takeUp = async (accountId: string): Promise<"read" | "refused" | "unread" | "storeless"> => {
    try {
      await parts.read(accountId);
      return "read";
    } catch (error) {
      log.debug({ err: error, account: accountId }, "an account could not be read yet");
      if (error instanceof NoAccessError) return "refused";
      return error instanceof StoreUnavailableError ? "storeless" : "unread";
    }
  };
  const takeUpAll = async (accountIds: readonly string[]): Promise<void> => {
    const waiting = accountIds.slice(0, parts.atMost);
    const outcomes = { read: 0, refused: 0, unread: 0, storeless: 0 };
    const inTurn = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined && !closed; id = waiting.shift()) {
        outcomes[await takeUp(id)] += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
    const { refused, unread, storeless } = outcomes;
    // That the store is away the node has said.
    if (refused + unread > 0) log.warn(outcomes, "not all watched accounts could be read yet");
    // What the API refuses is tried again when it was away and is back, as is everything else.
    if (unread + storeless === 0 || closed) return;
    later?.cancel();
    later = timers.after(AGAIN_MS, again);
  };
  const resume = (): Promise<void> => {
    started = true;
    resuming ??= store
      .watchedAccounts()
      .then(takeUpAll)
      .finally(() => {
        resuming = undefined;
      });
    return resuming;
  };
  const failed = (error: unknown): void =>
    logUnkept(log, "error", { err: error }, "accounts were not taken up");
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
        Promise.all(shards.map((one) => store.watchedAccounts(one)))
          .then((lists) => takeUpAll(lists.flat()))
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
