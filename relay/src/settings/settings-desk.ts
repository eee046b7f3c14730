import { AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { parse } from "@mulkko/shared/schema/parse";
import type { AccountState } from "../core/farm-channels.ts";
import type { SettingsStore } from "../ports/durable.ts";
import type { Log } from "../ports/log.ts";
import type { SettingsAnswer, SettingsChange, SettingsDesk } from "../ports/settings.ts";
import type { RunLimits } from "../ports/valves.ts";
import { changedSettings } from "./changed-settings.ts";
import { settingsRefusal } from "./settings-rules.ts";

/** The settings of an account as its owner holds them: in force at once, and kept. */
export interface OwnedSettings extends SettingsDesk {
  readonly runs: RunLimits;
  readonly adoptExternal: boolean;
  /** The flow meter that is linked to a channel (WAT-1). */
  flowSensorOf(channelId: string): string | null;
  /** The channel's own name (NAME-1). */
  nameOf(channelId: string): string | null;
}

/** @throws StoreUnavailableError when the stored settings cannot be read */
export async function createSettingsDesk(parts: {
  store: SettingsStore;
  /** What the account has, by its keys. */
  state: Pick<AccountState, "get">;
  log: Log;
  /** Called when a change holds. */
  onChanged: (change: SettingsChange) => void;
}): Promise<OwnedSettings> {
  const { store, state, log } = parts;
  let current = DEFAULT_SETTINGS;
  const stored = await store.get();
  if (stored !== undefined && stored !== null) {
    const parsed = parse(AccountSettings, stored);
    if (parsed.ok) current = parsed.value;
    else log.error({ at: parsed.path }, "stored settings cannot be read; the defaults hold");
  }
  const capSeconds = (controllerId: string): number =>
    current.controllers[controllerId]?.maxRunSeconds ?? MAX_RUN_SECONDS;
  /** Changes take their turn: each is made of what the one before has left. */
  let turn: Promise<unknown> = Promise.resolve();
  const changeInTurn = async (change: SettingsChange): Promise<SettingsAnswer> => {
    const why = settingsRefusal(change, state, capSeconds);
    if (why !== null) return { ok: false, why };
    const next = changedSettings(current, change);
    if (!parse(AccountSettings, next).ok) return { ok: false, why: "too-many" };
    try {
      await store.put(next);
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, why: "too-many" };
      throw error;
    }
    current = next;
    parts.onChanged(change);
    return { ok: true, settings: current };
  };
  return {
    get: async () => current,
    change(change) {
      const answer = turn.then(() => changeInTurn(change));
      turn = answer.catch(() => undefined);
      return answer;
    },
    get adoptExternal() {
      return current.adoptExternal;
    },
    flowSensorOf: (channelId) => current.channels[channelId]?.flowSensorId ?? null,
    nameOf: (channelId) => current.channels[channelId]?.name ?? null,
    runs: {
      capSeconds,
      // A default beyond a cap that was lowered since would make every plain opening fail.
      defaultSeconds: (controllerId, channelId) =>
        Math.min(
          capSeconds(controllerId),
          current.channels[channelId]?.defaultRunSeconds ?? DEFAULT_RUN_SECONDS,
        ),
    },
  };
}
