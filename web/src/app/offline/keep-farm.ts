import type { Account } from "@mulkko/shared/entities/account";
import type { LiveClient } from "../../live/live-client.ts";
import type { Timers } from "../../live/timers.ts";
import { entriesOf, keptOf, readKept } from "./kept-farm.ts";
import type { Shelf } from "./shelf.ts";

/** Looked at this often, ms, until there is something to keep; kept once a minute from then on. */
export const FIRST_AFTER_MS = 5_000;
export const KEEP_EVERY_MS = 60_000;

/** A page that is not live after this long, ms, shows what was kept until it is. */
export const RESTORE_AFTER_MS = 2_500;

type Client = Pick<LiveClient, "store" | "link" | "serverClock">;

const sameAccount = (a: Account, b: Account): boolean => `${a.id}` === `${b.id}`;

/**
 * Keeps an account's readings while they are live, for a start without a network; and shows the kept ones, as values
 * of which nobody knows, while a page with nothing to show waits for its first connection.
 *
 * @returns stops
 */
export function keepFarm(client: Client, account: Account, shelf: Shelf, timers: Timers): () => void {
  const { store, link, serverClock } = client;
  let stopped = false;
  /** Kept values that stand in the store, until the present takes their place. */
  let restored: ReturnType<typeof entriesOf> = [];
  const isLive = () => link.getState().screen.state === "live";

  /** @returns false where there is nothing yet that would be worth keeping */
  const keep = (): boolean => {
    if (!isLive()) return false;
    const kept = keptOf(store, account, new Date(serverClock.now()).toISOString());
    // The connection is at the present a picture before the store is.
    if (Object.keys(kept.values).length === 0) return false;
    // A private window or a full disk: this browser starts with nothing where there is no network.
    void shelf.write(kept).catch(() => undefined);
    return true;
  };
  let cancelKeeping = (): void => undefined;
  const keepOn = (afterMs: number): void => {
    cancelKeeping = timers.after(afterMs, () => keepOn(keep() ? KEEP_EVERY_MS : FIRST_AFTER_MS));
  };
  const restore = async () => {
    if (link.getState().screen.state !== "starting") return;
    const kept = readKept(await shelf.read().catch(() => undefined));
    if (stopped || !kept || !sameAccount(kept.account, account)) return;
    if (link.getState().screen.state !== "starting") return;
    restored = entriesOf(kept);
    store.apply({ put: restored, remove: [] });
  };
  const forgetWatching = link.subscribe(() => {
    if (!isLive() || restored.length === 0) return;
    // What the farm no longer has is still what was put here.
    const gone = restored.filter(({ kind, id, value }) => store.get(kind, id) === value);
    restored = [];
    store.apply({ put: [], remove: gone.map(({ kind, id }) => `${kind}:${id}`) });
  });

  const cancelRestore = timers.after(RESTORE_AFTER_MS, () => void restore());
  keepOn(FIRST_AFTER_MS);
  return () => {
    stopped = true;
    cancelRestore();
    cancelKeeping();
    forgetWatching();
  };
}
