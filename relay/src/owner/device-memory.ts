import type { Beats } from "../core/beats.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import { logUnkept } from "../store/log-unkept.ts";
import type { AccountStore } from "../store/store.ts";
import type { PresenceWatch } from "./presence-watch.ts";

/** What was learned of devices, their rhythm and their heartbeats, kept in the store for whoever owns them next. */
export interface DeviceMemory {
  /** Reads what the owner before has kept. */
  restore(): Promise<void>;
  /** Notes that the devices are looked at now. */
  look(): void;
  keep(): Promise<void>;
  close(): void;
}

export interface DeviceMemoryParts {
  readonly store: Pick<AccountStore, "presence" | "keepPresence">;
  readonly watch: Pick<PresenceWatch, "restore" | "takeUnkept">;
  readonly beats: Beats;
  /** Devices of which it can be told now whether they are silent. */
  readonly looked: () => Iterable<string>;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two times at which what was learned of devices is kept. */
const KEEP_MS = 600_000;

export function createDeviceMemory(parts: DeviceMemoryParts): DeviceMemory {
  const { store, watch, beats, timers, log } = parts;

  const look = (): void => {
    for (const key of parts.looked()) beats.looked(key);
  };
  const keep = async (): Promise<void> => {
    const entries = watch.takeUnkept(beats.takeChanged());
    try {
      await store.keepPresence(entries.map((entry) => ({ ...entry, beats: beats.of(entry.key) })));
    } catch (error) {
      logUnkept(log, "warn", { err: error }, "what was learned of devices could not be kept");
    }
  };
  const keepRegularly = (): void => {
    look();
    void keep();
    keeping = timers.after(KEEP_MS, keepRegularly);
  };
  let keeping = timers.after(KEEP_MS, keepRegularly);

  return {
    async restore() {
      const kept = await store.presence();
      watch.restore(kept);
      for (const one of kept) if (one.beats) beats.merge(one.key, one.beats);
    },
    look,
    keep,
    close: () => keeping.cancel(),
  };
}
