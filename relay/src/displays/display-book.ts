import { parse } from "@mulkko/shared/schema/parse";
import { NodeMessage } from "../cluster/messages.ts";
import { sameJson } from "../core/diff.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { DisplayMark, DisplayStore } from "../store/display-store.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { createListeners } from "../streams/listeners.ts";
import { DisplayRecord } from "./display-record.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** What became of a display: its record, or null once it is revoked. */
export interface DisplayChange {
  readonly id: string;
  readonly record: DisplayRecord | null;
}

/**
 * This node's copy of all displays: tokens are proven without asking the store, so that a screen outlives the
 * store's outages; and what the store has lost is put back from here (NODE-2).
 */
export interface DisplayBook {
  byId(id: string): DisplayRecord | undefined;
  byHash(tokenHash: string): DisplayRecord | undefined;
  all(): readonly DisplayRecord[];
  /** Writes it, then tells every node. Rejects with a `StoreUnavailableError`. */
  add(record: DisplayRecord): Promise<void>;
  /** False where it was revoked meanwhile. */
  replace(record: DisplayRecord): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /**
   * Reads what the store has, if that is not what is here. Rejects with a `StoreUnavailableError`; until the first
   * time has succeeded, nobody can say that a display does not exist.
   */
  look(): Promise<void>;
  onChanged(listener: (change: DisplayChange) => void): () => void;
  close(): void;
}

export interface DisplayBookParts {
  readonly store: Pick<Store, "displays" | "node" | "onAvailable">;
  readonly timers: Timers;
  readonly log: Log;
}

const isOther = (a: DisplayMark | undefined, b: DisplayMark): boolean =>
  a?.epoch !== b.epoch || a.revision !== b.revision;

export function createDisplayBook({ store, timers, log }: DisplayBookParts): DisplayBook {
  const kept: DisplayStore = store.displays;
  const records = new Map<string, DisplayRecord>();
  const byHash = new Map<string, DisplayRecord>();
  const removed = new Set<string>();
  const changed = createListeners<DisplayChange>((error) => log.error({ err: error }, "a display's change"));
  let mark: DisplayMark | undefined;
  let looking: Promise<void> | undefined;
  /** Counts the beginnings and ends of writes. */
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
    removed.add(id);
    const [oldest] = removed;
    if (removed.size > DISPLAY_LIMITS.removed && oldest !== undefined) removed.delete(oldest);
    if (!before) return;
    records.delete(id);
    if (before.tokenHash) byHash.delete(before.tokenHash);
    changed.call({ id, record: null });
  };

  const read = async (): Promise<void> => {
    let before: number;
    let found: Awaited<ReturnType<DisplayStore["all"]>>;
    // What was read as something was written here may lack it.
    do {
      before = writes;
      found = await kept.all();
    } while (writes !== before);
    const { mark: stands, displays } = found;
    const present = new Set<string>();
    for (const { id, display } of displays) {
      const parsed = parse(DisplayRecord, display);
      if (!parsed.ok) {
        log.warn({ display: id, at: parsed.path }, "a display cannot be read");
        continue;
      }
      present.add(id);
      put(parsed.value);
    }
    for (const id of [...records.keys()]) if (!present.has(id)) drop(id);
    mark = stands;
  };
  const look = async (): Promise<void> => {
    const stands = await kept.mark();
    if (!isOther(mark, stands)) return;
    const isLost = mark !== undefined && (mark.epoch !== stands.epoch || stands.revision < mark.revision);
    if (isLost) {
      log.warn({ displays: records.size }, "the store has lost displays: they are put back");
      await kept.restore(
        [...records.values()].map((record) => ({
          id: record.id,
          display: record,
          changedAt: record.changedAt,
        })),
        [...removed],
      );
    }
    await read();
  };
  /** Two looks at the same time could put back what the other has just seen removed. */
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const lookQuietly = (): void => {
    lookOnce().catch((error: unknown) => {
      // The next look finds the same.
      if (!(error instanceof StoreUnavailableError)) log.error({ err: error }, "displays could not be read");
    });
  };
  const again = (): void => {
    lookQuietly();
    timer = timers.after(DISPLAY_LIMITS.lookMs, again);
  };
  let timer = timers.after(0, again);

  const written = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    try {
      return await write();
    } finally {
      writes += 1;
    }
  };
  const tell = (): void => {
    store.node
      .tellOthers({ kind: "displays" })
      .catch((error: unknown) => log.debug({ err: error }, "other nodes were not told of a display"));
  };
  const stops = [
    store.onAvailable((available) => {
      if (available) lookQuietly();
    }),
    store.node.onTold((message) => {
      const told = parse(NodeMessage, message);
      if (told.ok && told.value.kind === "displays") lookQuietly();
    }),
  ];

  return {
    byId: (id) => records.get(id),
    byHash: (tokenHash) => byHash.get(tokenHash),
    all: () => [...records.values()],
    async add(record) {
      await written(() => kept.add(record.id, record));
      put(record);
      tell();
    },
    async replace(record) {
      const isThere = await written(() => kept.replace(record.id, record));
      if (isThere) put(record);
      else drop(record.id);
      tell();
      return isThere;
    },
    async remove(id) {
      const wasThere = await written(() => kept.remove(id));
      drop(id);
      tell();
      return wasThere;
    },
    async look() {
      // One that is under way may have read before what the caller means.
      await looking?.catch(() => undefined);
      await lookOnce();
    },
    onChanged: changed.add,
    close() {
      timer.cancel();
      for (const stop of stops) stop();
    },
  };
}
