import { beatSlot } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../database/database.ts";
import type { DeviceDirectory } from "../devices/directory.ts";
import type { Heard } from "../ingest/heard.ts";
import { hearPresence, isStoredAlike, type Presence, silence } from "./presence.ts";
import { noteListening, readPresences, storePresences } from "./repository.ts";

/** Record when every device went offline or came back last, and its heartbeats of two days. */
export interface DevicePresence {
  load(): Promise<void>;
  /** Take what was stored. */
  heard(batch: readonly Heard[]): void;
  /** Take that a device is offline since that moment, ms since 1970 UTC. */
  silent(deviceId: string, at: number): void;
  /** Write what has changed. What could not be written is tried again at the next call. @throws DatabaseError */
  store(isListening: boolean): Promise<void>;
}

/** Most devices of one write. */
const MAX_PER_WRITE = 2_000;

export function createDevicePresence(parts: {
  readonly database: Database;
  readonly directory: Pick<DeviceDirectory, "byId">;
  readonly clock: Clock;
}): DevicePresence {
  const { database, directory, clock } = parts;
  // Both bounded by the devices that are registered here.
  const known = new Map<string, Presence>();
  const unstored = new Set<string>();
  let notedSlot: number | null = null;

  const take = (deviceId: string, after: Presence | undefined): void => {
    const before = known.get(deviceId);
    if (!after || after === before) return;
    known.set(deviceId, after);
    if (!before || !isStoredAlike(before, after)) unstored.add(deviceId);
  };
  const storeSome = async (ids: readonly string[]): Promise<void> => {
    const batch = new Map<string, Presence>();
    for (const id of ids) {
      const presence = known.get(id);
      if (presence && directory.byId(id)) batch.set(id, presence);
      else known.delete(id);
    }
    if (batch.size > 0) await storePresences(database, batch);
    // What was heard while it was written has changed again.
    for (const id of ids) if (known.get(id) === batch.get(id)) unstored.delete(id);
  };

  return {
    async load() {
      for (const [id, stored] of await readPresences(database)) {
        // What came meanwhile is newer than what was read.
        const meanwhile = known.get(id)?.heardAt;
        known.set(id, stored);
        if (meanwhile !== undefined) take(id, hearPresence(stored, { at: meanwhile, heardAt: meanwhile }));
        if (!stored.online) unstored.add(id);
      }
    },
    heard(batch) {
      for (const one of batch) take(one.deviceId, hearPresence(known.get(one.deviceId), one));
    },
    silent(deviceId, at) {
      const before = known.get(deviceId);
      if (before) take(deviceId, silence(before, at));
    },
    async store(isListening) {
      const slot = beatSlot(clock.now());
      if (isListening && notedSlot !== slot) {
        await noteListening(database, slot);
        notedSlot = slot;
      }
      const ids = [...unstored];
      for (let first = 0; first < ids.length; first += MAX_PER_WRITE) {
        await storeSome(ids.slice(first, first + MAX_PER_WRITE));
      }
    },
  };
}
