import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FarmChoice } from "../ports/displays.ts";
import type { Owners, Viewer } from "../ports/owners.ts";
import { createFarmDevices } from "./farm-devices.ts";
import { createFarmEvents } from "./farm-events.ts";

/** Accounts as displays see them: one filtered copy of each account and choice of farms, however many screens. */
export interface FarmViews {
  /** Rejects with an `UpstreamError` where the account cannot be read without somebody's token. */
  view(accountId: string, farms: FarmChoice): Promise<Viewer>;
}

interface Shared {
  readonly devices: Viewer["devices"];
  readonly events: Viewer["events"];
  active(): void;
  close(): void;
}

interface Entry {
  readonly shared: Promise<Shared>;
  holders: number;
}

export function createFarmViews(parts: {
  owners: Pick<Owners, "viewAs">;
  clock: Clock;
  newEpoch: () => string;
  onError: (error: unknown) => void;
}): FarmViews {
  const { owners, clock, newEpoch, onError } = parts;
  const entries = new Map<string, Entry>();

  const share = async (accountId: string, farms: readonly string[]): Promise<Shared> => {
    const viewer = await owners.viewAs(accountId);
    // POLL-1: what none of the screens shows is nobody's to look at.
    const track = (): void => {
      const keys = new Set(devices?.keys() ?? []);
      viewer.track(keys.size > LIVE_LIMITS.trackedKeys ? undefined : keys);
    };
    let devices: ReturnType<typeof createFarmDevices> | undefined;
    devices = createFarmDevices({
      source: viewer.devices,
      farms: new Set(farms),
      clock,
      newEpoch,
      onMembers: () => devices && track(),
      onError,
    });
    track();
    const events = createFarmEvents({ source: viewer.events, devices, newEpoch, onError });
    const made = devices;
    return {
      devices: made.stream,
      events: events.stream,
      active: viewer.active,
      close() {
        events.close();
        made.close();
        viewer.release();
      },
    };
  };

  return {
    async view(accountId, farms) {
      // All farms are the account's own stream, and the bytes that everybody else gets.
      if (farms === null) return owners.viewAs(accountId);
      const name = JSON.stringify([accountId, farms]);
      const entry = entries.get(name) ?? { shared: share(accountId, farms), holders: 0 };
      entries.set(name, entry);
      entry.holders += 1;
      const letGo = (): void => {
        entry.holders -= 1;
        if (entry.holders > 0) return;
        if (entries.get(name) === entry) entries.delete(name);
        entry.shared.then(
          ({ close }) => close(),
          () => undefined,
        );
      };
      let shared: Shared;
      try {
        shared = await entry.shared;
      } catch (error) {
        letGo();
        throw error;
      }
      let isHeld = true;
      return {
        devices: shared.devices,
        events: shared.events,
        renew: () => undefined,
        track: () => undefined,
        active: shared.active,
        release() {
          if (isHeld) letGo();
          isHeld = false;
        },
      };
    },
  };
}
