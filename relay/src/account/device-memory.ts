import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { Log } from "../runtime/log.ts";
import { notPersisted } from "../store/errors.ts";
import type { AccountStore } from "../store/store.ts";
import type { ActivityHistory } from "./activity-history.ts";
import type { PresenceWatch } from "./presence-watch.ts";

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
  readonly store: Pick<AccountStore, "presence" | "keepPresence">;
  readonly watch: Pick<PresenceWatch, "restore" | "takeUnpersisted">;
  readonly beats: ActivityHistory;
  /** Return the devices whose silence can be judged now. */
  readonly watchedDevices: () => Iterable<string>;
  readonly timers: Timers;
  readonly log: Log;
}

/** Interval at which device memory is stored, ms. */
const SAVE_EVERY_MS = 600_000;

export function createDeviceMemory(deps: DeviceMemoryDeps): DeviceMemory {
  const { store, watch, beats, timers, log } = deps;

  const markWatched = (): void => {
    for (const key of deps.watchedDevices()) beats.markWatched(key);
  };
  const save = async (): Promise<void> => {
    const entries = watch.takeUnpersisted(beats.takeChanged());
    await store
      .keepPresence(entries.map((entry) => ({ ...entry, beats: beats.of(entry.key) })))
      .catch(
        notPersisted(log, "warn", { event: "device-memory-not-stored" }, "failed to store device memory"),
      );
  };
  const saving = repeat(timers, SAVE_EVERY_MS, () => {
    markWatched();
    void save();
  });

  return {
    async restore() {
      const stored = await store.presence();
      watch.restore(stored);
      for (const one of stored) if (one.beats) beats.merge(one.key, one.beats);
    },
    markWatched,
    save,
    close: saving.cancel,
  };
}
