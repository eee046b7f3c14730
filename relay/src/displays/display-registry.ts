import type { Timers } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { repeat } from "@mulkko/shared/server/node-timers";
import { LRUCache } from "lru-cache";
import { Type } from "typebox";
import type { Log } from "../runtime/log.ts";
import { DisplayRecord } from "../store/display-record.ts";
import type { DisplayMark, DisplayStore } from "../store/display-store.ts";
import { notPersisted } from "../store/errors.ts";
import { sameJson } from "../store/json.ts";
import type { Store } from "../store/store.ts";
import { createListeners } from "../store/streams/listeners.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** A changed display: its record, or null once it is revoked. */
export interface DisplayChange {
  readonly id: string;
  readonly record: DisplayRecord | null;
}

/**
 * This node's copy of all displays. Tokens are proven without the store, so that a screen works through the
 * store's outages. Displays that the store has lost are restored from here (NODE-2).
 */
export interface DisplayRegistry {
  byId(id: string): DisplayRecord | undefined;
  byHash(tokenHash: string): DisplayRecord | undefined;
  all(): readonly DisplayRecord[];
  /** Store a display, then notify every node. Rejects with a `StoreUnavailableError`. */
  add(record: DisplayRecord): Promise<void>;
  /** Replace a display; return false if it was revoked meanwhile. */
  replace(record: DisplayRecord): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /**
   * Apply changes that end access, and store them. Without the store they hold on this node at once, and are stored when
   * it takes changes again; then it rejects with a `StoreUnavailableError`.
   */
  end(changes: readonly DisplayChange[]): Promise<void>;
  /**
   * Read the store's displays if they differ from this copy. Rejects with a `StoreUnavailableError`. Until
   * the first success it is unknown if a display exists.
   */
  look(): Promise<void>;
  onChanged(listener: (change: DisplayChange) => void): () => void;
  close(): void;
}

export interface DisplayRegistryDeps {
  readonly store: Pick<Store, "displays" | "node" | "onAvailable">;
  readonly timers: Timers;
  readonly log: Log;
}

const isOther = (a: DisplayMark | undefined, b: DisplayMark): boolean =>
  a?.epoch !== b.epoch || a.revision !== b.revision;

export function createDisplayRegistry({ store, timers, log }: DisplayRegistryDeps): DisplayRegistry {
  const kept: DisplayStore = store.displays;
  const records = new Map<string, DisplayRecord>();
  const byHash = new Map<string, DisplayRecord>();
  const removed = new LRUCache<string, true>({ max: DISPLAY_LIMITS.removed });
  const changed = createListeners<DisplayChange>((error) =>
    log.error({ event: "display-change-failed", err: error }, "cannot apply display change"),
  );
  /** Ends of access that are not stored yet; null: revoked. */
  const owed = new Map<string, DisplayRecord | null>();
  let mark: DisplayMark | undefined;
  let looking: Promise<void> | undefined;
  /** Counts the starts and ends of writes. */
  let writes = 0;

  const put = (record: DisplayRecord): void => {
    const before = records.get(record.id);
    if (before && sameJson(before, record)) return;
    if (before?.tokenHash) byHash.delete(before.tokenHash);
    records.set(record.id, record);
    if (record.tokenHash !== null) byHash.set(record.tokenHash, record);
    if (before) changed.call({ id: record.id, record });
  };
  const drop = (id: string): void => {
    const before = records.get(id);
    removed.set(id, true);
    if (!before) return;
    records.delete(id);
    if (before.tokenHash) byHash.delete(before.tokenHash);
    changed.call({ id, record: null });
  };

  const read = async (): Promise<void> => {
    let before: number;
    let found: Awaited<ReturnType<DisplayStore["all"]>>;
    // A read during a write of this node may lack it.
    do {
      before = writes;
      found = await kept.all();
    } while (writes !== before);
    const { mark: readMark, displays } = found;
    const present = new Set<string>();
    for (const { id, display } of displays) {
      const parsed = parse(DisplayRecord, display);
      if (!parsed.ok) {
        log.warn(
          { event: "stored-display-unreadable", display: id, at: parsed.path },
          "cannot read stored display",
        );
        continue;
      }
      const end = owed.get(id);
      if (end === null) continue;
      present.add(id);
      put(end ?? parsed.value);
    }
    for (const id of [...records.keys()]) if (!present.has(id)) drop(id);
    mark = readMark;
  };
  /** Store the ends of access that could not be stored. */
  const storeOwed = async (): Promise<void> => {
    for (const [id, record] of owed) {
      await written(() => (record === null ? kept.remove(id) : kept.replace(id, record)));
      if (owed.get(id) === record) owed.delete(id);
      notifyNodes();
    }
  };
  const look = async (): Promise<void> => {
    await storeOwed();
    const stored = await kept.mark();
    if (!isOther(mark, stored)) return;
    const isLost = mark !== undefined && (mark.epoch !== stored.epoch || stored.revision < mark.revision);
    if (isLost) {
      log.warn(
        { event: "displays-restored", displays: records.size },
        "restoring displays lost by the store",
      );
      await kept.restore(
        [...records.values()].map((record) => ({
          id: record.id,
          display: record,
          changedAt: record.changedAt,
        })),
        [...removed.keys()],
      );
    }
    await read();
  };
  /** Refresh once at a time: of two at the same time one could restore what the other has just removed. */
  const refreshOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const refreshQuietly = (): void => {
    refreshOnce().catch(notPersisted(log, "error", { event: "displays-unreadable" }, "cannot read displays"));
  };
  const timer = repeat(timers, DISPLAY_LIMITS.lookMs, refreshQuietly, 0);

  const written = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    try {
      return await write();
    } finally {
      writes += 1;
    }
  };
  const notifyNodes = (): void => {
    store.node
      .sendToOthers({ kind: "displays" })
      .catch((error: unknown) =>
        log.debug(
          { event: "display-change-not-sent", err: error },
          "cannot send display change to other nodes",
        ),
      );
  };
  const stops = [
    store.onAvailable((available) => {
      if (available) refreshQuietly();
    }),
    store.node.onMessage((message) => {
      if (parse(DisplaysChanged, message).ok) refreshQuietly();
    }),
  ];

  return {
    byId: (id) => records.get(id),
    byHash: (tokenHash) => byHash.get(tokenHash),
    all: () => [...records.values()],
    async add(record) {
      await written(() => kept.add(record.id, record));
      put(record);
      notifyNodes();
    },
    async replace(record) {
      owed.delete(record.id);
      const isThere = await written(() => kept.replace(record.id, record));
      if (isThere) put(record);
      else drop(record.id);
      notifyNodes();
      return isThere;
    },
    async end(changes) {
      for (const { id, record } of changes) {
        if (record === null) drop(id);
        else put(record);
        owed.set(id, record);
      }
      await storeOwed();
    },
    async remove(id) {
      owed.delete(id);
      const wasThere = await written(() => kept.remove(id));
      drop(id);
      notifyNodes();
      return wasThere;
    },
    async look() {
      // A running refresh may have read too early for the caller.
      await looking?.catch(() => undefined);
      await refreshOnce();
    },
    onChanged: changed.add,
    close() {
      timer.cancel();
      for (const stop of stops) stop();
    },
  };
}

/** The displays have changed: each node reads them from the store. */
export const DisplaysChanged = Type.Object({ kind: Type.Literal("displays") });
