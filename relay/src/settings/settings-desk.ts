import { AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { parse } from "@mulkko/shared/schema/parse";
import type { SettingsStore } from "../ports/durable.ts";
import type { Log } from "../ports/log.ts";
import type { SettingsDesk } from "../ports/settings.ts";
import type { RunLimits } from "../ports/valves.ts";

/** The settings of an account as its owner holds them: in force at once, and kept. */
export interface OwnedSettings extends SettingsDesk {
  readonly runs: RunLimits;
  readonly adoptExternal: boolean;
  /** The flow meter that is linked to a channel (WAT-1). */
  flowSensorOf(channelId: string): string | null;
}

/** @throws StoreUnavailableError when the stored settings cannot be read */
export async function createSettingsDesk(parts: {
  store: SettingsStore;
  log: Log;
  /** Something else holds from now on. */
  onChanged: () => void;
}): Promise<OwnedSettings> {
  const { store, log } = parts;
  let current = DEFAULT_SETTINGS;
  const stored = await store.get();
  if (stored !== undefined && stored !== null) {
    const parsed = parse(AccountSettings, stored);
    if (parsed.ok) current = parsed.value;
    else log.error({ at: parsed.path }, "stored settings cannot be read; the defaults hold");
  }
  const capSeconds = (controllerId: string): number => {
    const minutes = current.controllers[controllerId]?.capMinutes;
    return minutes === undefined ? MAX_RUN_SECONDS : minutes * 60;
  };
  return {
    get: async () => current,
    async put(settings) {
      await store.put(settings);
      current = settings;
      parts.onChanged();
    },
    get adoptExternal() {
      return current.adoptExternal;
    },
    flowSensorOf: (channelId) => current.flowMeters[channelId] ?? null,
    runs: {
      capSeconds,
      defaultSeconds(controllerId, number) {
        const minutes = current.controllers[controllerId]?.defaultMinutes?.[String(number)];
        // A default beyond a cap that was lowered since would make every plain opening fail.
        return Math.min(capSeconds(controllerId), minutes === undefined ? DEFAULT_RUN_SECONDS : minutes * 60);
      },
    },
  };
}
