import { beatSlot } from "@mulkko/shared/rest/fleet";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Database } from "../../database/database.ts";
import type { DeviceIndex } from "../device-index.ts";
import type { DeviceContact } from "../received.ts";
import { isStoredAlike, type Presence, readPresence, silence } from "./presence.ts";
import { noteListening, readPresences, storePresences } from "./repository.ts";

/** Record when every device last went offline or came back, and its activity of two days. */
export interface DevicePresence {
  load(): Promise<void>;
  /** Record stored messages. Returns true if one was the first after an hour. */
  received(batch: readonly DeviceContact[]): boolean;
  /** Return the contact after a device's last gap of an hour or more, ms since 1970 UTC; null: none is known. */
  backAt(deviceId: string): number | null;
  /** True for a device that has reported and is not offline. */
  isOnline(deviceId: string): boolean;
  /** Record that a device has exceeded its allowed silence, ms. */
  silent(deviceId: string, allowedMs: number): void;
  /** Write changes. A failed write is repeated at the next call. @throws DatabaseError */
  store(isListening: boolean): Promise<void>;
}

/** Most devices per write. */
const MAX_PER_WRITE = 2_000;

export function createDevicePresence(parts: {
  readonly database: Database;
  readonly deviceIndex: Pick<DeviceIndex, "byId" | "inTrash">;
  readonly clock: Clock;
}): DevicePresence {
  const { database, deviceIndex, clock } = parts;
  // Both bounded by the registered devices; those in the trash may come back.
  const known = new Map<string, Presence>();
  const unstored = new Set<string>();
  let notedSlot: number | null = null;

  const apply = (deviceId: string, after: Presence): void => {
    const before = known.get(deviceId);
    if (after === before) return;
    known.set(deviceId, after);
    if (!before || !isStoredAlike(before, after)) unstored.add(deviceId);
  };
  const storeSome = async (ids: readonly string[]): Promise<void> => {
    const batch = new Map<string, Presence>();
    for (const id of ids) {
      const presence = known.get(id);
      if (presence && (deviceIndex.byId(id) || deviceIndex.inTrash(id))) batch.set(id, presence);
      else known.delete(id);
    }
    if (batch.size > 0) await storePresences(database, batch);
    // A message during the write has changed it again.
    for (const id of ids) if (known.get(id) === batch.get(id)) unstored.delete(id);
  };

  return {
    async load() {
      for (const [id, stored] of await readPresences(database)) {
        // A message received meanwhile is newer than the stored state.
        const meanwhile = known.get(id)?.heardAt;
        known.set(id, stored);
        if (meanwhile !== undefined) {
          apply(id, readPresence(stored, { at: meanwhile, heardAt: meanwhile, isLive: true }));
        }
      }
    },
    received(batch) {
      let isBack = false;
      for (const one of batch) {
        const before = known.get(one.deviceId);
        const after = readPresence(before, one);
        isBack ||= after.backAt !== (before?.backAt ?? null);
        apply(one.deviceId, after);
      }
      return isBack;
    },
    backAt: (deviceId) => known.get(deviceId)?.backAt ?? null,
    isOnline: (deviceId) => known.get(deviceId)?.online ?? false,
    silent(deviceId, allowedMs) {
      const before = known.get(deviceId);
      if (before) apply(deviceId, silence(before, allowedMs));
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
