import { Account } from "@mulkko/shared/entities/account";
import type { Timer, Timers } from "@mulkko/shared/rules/clock";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { TextRecord } from "@mulkko/shared/schema/text-record";
import { type Static, Type } from "typebox";
import type { LiveClient } from "../../live/live-client.ts";
import { type LiveEntry, type LiveKind, type LiveStore, parseValue, splitKey } from "../../live/store.ts";
import type { OfflineCache } from "./offline-cache.ts";

/** Stored data of a farm for an offline start. */
export const StoredFarm = Type.Object({
  /** Time at which the data was live. */
  at: Instant,
  account: Account,
  /** Values of the `devices` stream by their keys. */
  values: TextRecord(TextRecord(Type.Unknown())),
});
export type StoredFarm = Static<typeof StoredFarm>;

/** Old readings may be shown; valves, waterings and alarms only while they are known. */
const KEPT_KINDS: readonly LiveKind[] = ["farm", "sensor", "controller"];

/** Maximum number of stored values, farms first. */
const VALUES_KEPT = 3_000;

/** Return a store's data for storage. @param at the current time, ISO 8601 */
function storedOf(store: LiveStore, account: Account, at: string): StoredFarm {
  const entries = KEPT_KINDS.flatMap((kind) =>
    [...store.all(kind)].map(([id, value]) => [`${kind}:${id}`, { ...value }] as const),
  );
  return { at, account, values: Object.fromEntries(entries.slice(0, VALUES_KEPT)) };
}

/** Parse stored data; null if it is invalid. */
export function parseStoredFarm(raw: unknown): StoredFarm | null {
  const stored = parse(StoredFarm, raw);
  return stored.ok ? stored.value : null;
}

/** Return the stored values as live entries with unknown quality (ONL-2). */
export function entriesOf({ values }: StoredFarm): LiveEntry[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const part = splitKey(key);
    if (!part || !KEPT_KINDS.includes(part.kind)) return [];
    const raw = "quality" in value ? { ...value, quality: value.quality === null ? null : "unknown" } : value;
    const entry = parseValue(part.kind, part.id, raw);
    return entry ? [entry] : [];
  });
}

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
