import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { Log } from "../runtime/log.ts";
import { type DocumentChange, type KeyedCollection, put } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import { notPersisted } from "../store/errors.ts";
import { type DocumentWriter, WriteBehind } from "../store/write-behind.ts";
import type { ActivityHistory } from "./activity-history.ts";
import { PresenceFields, type PresenceWatch } from "./presence-watch.ts";

const DAY_MS = 24 * 3_600_000;

/** The rhythm and activity history of devices by device key. */
export const PRESENCE = {
  ...{ name: "presence", shape: "keyed", value: PresenceFields, idleMs: 30 * DAY_MS },
  sqlite: { table: "presence", key: "key", value: "kept" },
  redis: { documents: "p" },
} as const satisfies KeyedCollection;

/** Create the writer of everything that the parts of an account store beside valves, alarms and settings. */
export function writeAccount(documents: Documents, timers: Timers, log: Log): WriteBehind<DocumentChange> {
  return new WriteBehind({
    write: (changes) => documents.write(changes),
    timers,
    onFailure: notPersisted(
      log,
      "warn",
      { event: "account-not-stored" },
      "failed to store state of an account, retrying",
    ),
  });
}

/** Stores the rhythm and activity history of devices for their next owner. */
export interface DeviceMemory {
  /** Read the state that the previous owner stored. */
  restore(): Promise<void>;
  /** Record that the devices are watched now. */
  markWatched(): void;
  save(): Promise<void>;
  close(): void;
}

export interface DeviceMemoryDeps {
  readonly store: Pick<Documents, "list">;
  readonly writer: DocumentWriter;
  readonly watch: Pick<PresenceWatch, "restore" | "takeUnpersisted">;
  readonly beats: ActivityHistory;
  /** Return the devices whose silence can be judged now. */
  readonly watchedDevices: () => Iterable<string>;
  readonly timers: Timers;
}

/** Interval at which device memory is stored, ms. */
const SAVE_EVERY_MS = 600_000;

export function createDeviceMemory(deps: DeviceMemoryDeps): DeviceMemory {
  const { store, writer, watch, beats, timers } = deps;

  const markWatched = (): void => {
    for (const key of deps.watchedDevices()) beats.markWatched(key);
  };
  const save = async (): Promise<void> => {
    const entries = watch.takeUnpersisted(beats.takeChanged());
    await writer.put(
      entries.map(({ key, gaps, ...fields }) =>
        put(PRESENCE, key, { ...fields, gaps: [...gaps], beats: beats.of(key) }),
      ),
    );
  };
  const saving = repeat(timers, SAVE_EVERY_MS, () => {
    markWatched();
    void save();
  });

  return {
    async restore() {
      const stored = (await store.list(PRESENCE)).flatMap(({ key, read }) =>
        read.ok ? [{ key, ...read.value }] : [],
      );
      watch.restore(stored);
      for (const one of stored) if (one.beats) beats.merge(one.key, one.beats);
    },
    markWatched,
    save,
    close: saving.cancel,
  };
}
