import type { Account } from "@mulkko/shared/entities/account";
import type { Timer, Timers } from "@mulkko/shared/rules/clock";
import type { LiveClient } from "../../live/live-client.ts";
import type { OfflineCache } from "./offline-cache.ts";
import { entriesOf, parseStoredFarm, storedOf } from "./stored-farm.ts";

/** Check interval until there is something to store, ms; stored once a minute after that. */
export const FIRST_AFTER_MS = 5_000;
export const KEEP_EVERY_MS = 60_000;

/** Time after which a page that is not live shows the stored data, ms. */
export const RESTORE_AFTER_MS = 2_500;

type Client = Pick<LiveClient, "store" | "link" | "serverClock">;

const sameAccount = (a: Account, b: Account): boolean => `${a.id}` === `${b.id}`;

/**
 * Store an account's readings while they are live, for an offline start. While a page without data waits for
 * its first connection, show the stored ones with unknown quality.
 *
 * @returns a function that stops
 */
export function keepFarm(client: Client, account: Account, cache: OfflineCache, timers: Timers): () => void {
  const { store, link, serverClock } = client;
  let stopped = false;
  /** Stored values in the live store, until live ones replace them. */
  let restored: ReturnType<typeof entriesOf> = [];
  const isLive = () => link.getState().screen.state === "live";

  /** @returns false if there is nothing to store yet */
  const keep = (): boolean => {
    if (!isLive()) return false;
    const stored = storedOf(store, account, new Date(serverClock.now()).toISOString());
    // The connection is live one frame before the store is.
    if (Object.keys(stored.values).length === 0) return false;
    // A private window or a full disk: this browser has no data for an offline start.
    void cache.write(stored).catch(() => undefined);
    return true;
  };
  let keeping: Timer | undefined;
  const keepOn = (afterMs: number): void => {
    keeping = timers.after(afterMs, () => keepOn(keep() ? KEEP_EVERY_MS : FIRST_AFTER_MS));
  };
  const restore = async () => {
    if (link.getState().screen.state !== "starting") return;
    const stored = parseStoredFarm(await cache.read().catch(() => undefined));
    if (stopped || !stored || !sameAccount(stored.account, account)) return;
    if (link.getState().screen.state !== "starting") return;
    restored = entriesOf(stored);
    store.apply({ put: restored, remove: [] });
  };
  const forgetWatching = link.subscribe(() => {
    if (!isLive() || restored.length === 0) return;
    // Restored values that are missing in the farm must be removed.
    const gone = restored.filter(({ kind, id, value }) => store.get(kind, id) === value);
    restored = [];
    store.apply({ put: [], remove: gone.map(({ kind, id }) => `${kind}:${id}`) });
  });

  const restoring = timers.after(RESTORE_AFTER_MS, () => void restore());
  keepOn(FIRST_AFTER_MS);
  return () => {
    stopped = true;
    restoring.cancel();
    keeping?.cancel();
    forgetWatching();
  };
}
