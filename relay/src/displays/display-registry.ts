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

export interface DisplayRegistryDeps {
  readonly store: Pick<Store, "displays" | "node" | "onAvailable">;
  readonly timers: Timers;
  readonly log: Log;
}

const isOther = (a: DisplayMark | undefined, b: DisplayMark): boolean =>
  a?.epoch !== b.epoch || a.revision !== b.revision;

/**
 * This node's copy of all displays. Tokens are proven without the store, so that a screen works through the
 * store's outages. Displays that the store has lost are restored from here (NODE-2).
 *
 * | a display | becomes | when |
 * | --- | --- | --- |
 * | unknown | known | this node adds it, or a read finds it in the store |
 * | known | changed | this node replaces it, or a read finds it otherwise |
 * | known | owed | its access ends while the store takes no changes: it holds here, and is stored later |
 * | known, owed | removed | this node revokes it, or a read does not find it any more |
 */
export class DisplayRegistry {
  readonly #deps: DisplayRegistryDeps;
  readonly #kept: DisplayStore;
  readonly #records = new Map<string, DisplayRecord>();
  readonly #byHash = new Map<string, DisplayRecord>();
  readonly #removed = new LRUCache<string, true>({ max: DISPLAY_LIMITS.removed });
  readonly #changed;
  /** Ends of access that are not stored yet; null: revoked. */
  readonly #owed = new Map<string, DisplayRecord | null>();
  #mark: DisplayMark | undefined;
  #looking: Promise<void> | undefined;
  /** Counts the starts and ends of writes. */
  #writes = 0;
  readonly #timer;
  readonly #stops;

  constructor(deps: DisplayRegistryDeps) {
    this.#deps = deps;
    const { store, log, timers } = this.#deps;
    this.#kept = store.displays;
    this.#changed = createListeners<DisplayChange>((error) =>
      log.error({ event: "display-change-failed", err: error }, "cannot apply display change"),
    );
    this.#timer = repeat(timers, DISPLAY_LIMITS.lookMs, () => this.#refreshQuietly(), 0);
    this.#stops = [
      store.onAvailable((available) => {
        if (available) this.#refreshQuietly();
      }),
      store.node.onMessage((message) => {
        if (parse(DisplaysChanged, message).ok) this.#refreshQuietly();
      }),
    ];
  }

  byId(id: string): DisplayRecord | undefined {
    return this.#records.get(id);
  }

  byHash(tokenHash: string): DisplayRecord | undefined {
    return this.#byHash.get(tokenHash);
  }

  all(): readonly DisplayRecord[] {
    return [...this.#records.values()];
  }

  /** Store a display, then notify every node. Rejects with a `StoreUnavailableError`. */
  async add(record: DisplayRecord): Promise<void> {
    await this.#written(() => this.#kept.add(record.id, record));
    this.#put(record);
    this.#notifyNodes();
  }

  /** Replace a display; return false if it was revoked meanwhile. */
  async replace(record: DisplayRecord): Promise<boolean> {
    this.#owed.delete(record.id);
    const isThere = await this.#written(() => this.#kept.replace(record.id, record));
    if (isThere) this.#put(record);
    else this.#drop(record.id);
    this.#notifyNodes();
    return isThere;
  }

  /**
   * Apply changes that end access, and store them. Without the store they hold on this node at once, and are stored when
   * it takes changes again; then it rejects with a `StoreUnavailableError`.
   */
  async end(changes: readonly DisplayChange[]): Promise<void> {
    for (const { id, record } of changes) {
      if (record === null) this.#drop(id);
      else this.#put(record);
      this.#owed.set(id, record);
    }
    await this.#storeOwed();
  }

  async remove(id: string): Promise<boolean> {
    this.#owed.delete(id);
    const wasThere = await this.#written(() => this.#kept.remove(id));
    this.#drop(id);
    this.#notifyNodes();
    return wasThere;
  }

  /**
   * Read the store's displays if they differ from this copy. Rejects with a `StoreUnavailableError`. Until
   * the first success it is unknown if a display exists.
   */
  async look(): Promise<void> {
    // A running refresh may have read too early for the caller.
    await this.#looking?.catch(() => undefined);
    await this.#refreshOnce();
  }

  onChanged(listener: (change: DisplayChange) => void): () => void {
    return this.#changed.add(listener);
  }

  close(): void {
    this.#timer.cancel();
    for (const stop of this.#stops) stop();
  }

  #put(record: DisplayRecord): void {
    const before = this.#records.get(record.id);
    if (before && sameJson(before, record)) return;
    if (before?.tokenHash) this.#byHash.delete(before.tokenHash);
    this.#records.set(record.id, record);
    if (record.tokenHash !== null) this.#byHash.set(record.tokenHash, record);
    if (before) this.#changed.call({ id: record.id, record });
  }

  #drop(id: string): void {
    const before = this.#records.get(id);
    this.#removed.set(id, true);
    if (!before) return;
    this.#records.delete(id);
    if (before.tokenHash) this.#byHash.delete(before.tokenHash);
    this.#changed.call({ id, record: null });
  }

  async #read(): Promise<void> {
    let before: number;
    let found: Awaited<ReturnType<DisplayStore["all"]>>;
    // A read during a write of this node may lack it.
    do {
      before = this.#writes;
      found = await this.#kept.all();
    } while (this.#writes !== before);
    const { mark: readMark, displays } = found;
    const present = new Set<string>();
    for (const { id, display } of displays) {
      const parsed = parse(DisplayRecord, display);
      if (!parsed.ok) {
        this.#deps.log.warn(
          { event: "stored-display-unreadable", display: id, at: parsed.path },
          "cannot read stored display",
        );
        continue;
      }
      const end = this.#owed.get(id);
      if (end === null) continue;
      present.add(id);
      this.#put(end ?? parsed.value);
    }
    for (const id of [...this.#records.keys()]) if (!present.has(id)) this.#drop(id);
    this.#mark = readMark;
  }

  /** Store the ends of access that could not be stored. */
  async #storeOwed(): Promise<void> {
    for (const [id, record] of this.#owed) {
      await this.#written(() => (record === null ? this.#kept.remove(id) : this.#kept.replace(id, record)));
      if (this.#owed.get(id) === record) this.#owed.delete(id);
      this.#notifyNodes();
    }
  }

  async #look(): Promise<void> {
    await this.#storeOwed();
    const stored = await this.#kept.mark();
    if (!isOther(this.#mark, stored)) return;
    const isLost =
      this.#mark !== undefined &&
      (this.#mark.epoch !== stored.epoch || stored.revision < this.#mark.revision);
    if (isLost) {
      this.#deps.log.warn(
        { event: "displays-restored", displays: this.#records.size },
        "restoring displays lost by the store",
      );
      await this.#kept.restore(
        [...this.#records.values()].map((record) => ({
          id: record.id,
          display: record,
          changedAt: record.changedAt,
        })),
        [...this.#removed.keys()],
      );
    }
    await this.#read();
  }

  /** Refresh once at a time: of two at the same time one could restore what the other has just removed. */
  #refreshOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  #refreshQuietly(): void {
    this.#refreshOnce().catch(
      notPersisted(this.#deps.log, "error", { event: "displays-unreadable" }, "cannot read displays"),
    );
  }

  async #written<T>(write: () => Promise<T>): Promise<T> {
    this.#writes += 1;
    try {
      return await write();
    } finally {
      this.#writes += 1;
    }
  }

  #notifyNodes(): void {
    this.#deps.store.node
      .sendToOthers({ kind: "displays" })
      .catch((error: unknown) =>
        this.#deps.log.debug(
          { event: "display-change-not-sent", err: error },
          "cannot send display change to other nodes",
        ),
      );
  }
}

/** The displays have changed: each node reads them from the store. */
export const DisplaysChanged = Type.Object({ kind: Type.Literal("displays") });
