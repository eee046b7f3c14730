import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import type { FarmChoice } from "../http/caller.ts";
import { createFarmDevices } from "./farm-devices.ts";
import { createFarmEvents } from "./farm-events.ts";

/**
 * The accounts as displays see them: one filtered copy per account and choice of farms, for any number of
 * screens.
 */
export interface FarmViews {
  /** Open a view. Rejects with an `UpstreamError` if the account cannot be read without a person's token. */
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

export function createFarmViews(deps: {
  owners: Pick<AccountViews, "viewAs">;
  clock: Clock;
  newEpoch: () => string;
  onError: (error: unknown) => void;
}): FarmViews {
  const { owners, clock, newEpoch, onError } = deps;
  const entries = new Map<string, Entry>();

  const share = async (accountId: string, farms: readonly string[]): Promise<Shared> => {
    const viewer = await owners.viewAs(accountId);
    // POLL-1: keys that no screen shows are not watched.
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
      // All farms are the account's own stream, with the same bytes as for all other viewers.
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
