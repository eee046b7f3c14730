import { AccountSettings, DEFAULT_SETTINGS } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { parse } from "@mulkko/shared/schema/parse";
import type { ProvenAccount } from "../access/token-prover.ts";
import type { AccountState } from "../account/account-state.ts";
import type { Log } from "../runtime/log.ts";
import { putSingle, type SingleCollection } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import type { RunLimits } from "../valves/valves.ts";
import type { SettingsAnswer, SettingsChange, SettingsService } from "./settings-calls.ts";
import { changedSettings, settingsRefusal } from "./settings-rules.ts";

/** One object with an account's settings. */
export const SETTINGS = {
  ...{ name: "settings", shape: "single", value: AccountSettings, rewritten: true },
  atMostBytes: 256 * 1_024,
  sqlite: { table: "settings", value: "settings" },
  redis: { documents: "settings" },
} as const satisfies SingleCollection;

/** The settings of an account, for its owner: effective at once, and stored. */
export interface OwnedSettings extends SettingsService {
  readonly runs: RunLimits;
  readonly adoptExternal: boolean;
  /** Return the flow meter that is linked to a channel (WAT-1). */
  flowSensorOf(channelId: string): string | null;
  /** Return the largest flow of a channel by its owner, L/min (WAT-5). */
  largestFlowOf(channelId: string): number | null;
  /** Return the channel's own name (NAME-1). */
  nameOf(channelId: string): string | null;
}

/** @throws StoreUnavailableError when the stored settings cannot be read */
export async function createSettingsService(deps: {
  store: Documents;
  state: Pick<AccountState, "get" | "emit">;
  log: Log;
}): Promise<OwnedSettings> {
  const { store, state, log } = deps;
  let current = DEFAULT_SETTINGS;
  const stored = await store.single(SETTINGS);
  if (stored?.ok) current = stored.value;
  else if (stored)
    log.error(
      { event: "settings-unreadable", at: stored.path },
      "failed to read stored settings, using defaults",
    );
  const capSeconds = (controllerId: string): number =>
    current.controllers[controllerId]?.maxRunSeconds ?? MAX_RUN_SECONDS;
  /** Changes are serialised, because each builds on the result of the previous one. */
  let turn: Promise<unknown> = Promise.resolve();
  const changeInTurn = async (change: SettingsChange): Promise<SettingsAnswer> => {
    const why = settingsRefusal(change, state, capSeconds);
    if (why !== null) return { ok: false, why };
    const next = changedSettings(current, change);
    if (!parse(AccountSettings, next).ok) return { ok: false, why: "too-many" };
    try {
      await store.write([putSingle(SETTINGS, next)]);
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, why: "too-many" };
      throw error;
    }
    current = next;
    state.emit("settingsChanged", change.about === "channel" ? change.id : null);
    return { ok: true, settings: current };
  };
  return {
    get: async () => current,
    change({ change }) {
      const answer = turn.then(() => changeInTurn(change));
      turn = answer.catch(() => undefined);
      return answer;
    },
    get adoptExternal() {
      return current.adoptExternal;
    },
    flowSensorOf: (channelId) => current.channels[channelId]?.flowSensorId ?? null,
    largestFlowOf: (channelId) => current.channels[channelId]?.largestFlow ?? null,
    nameOf: (channelId) => current.channels[channelId]?.name ?? null,
    runs: {
      capSeconds,
      // A default above a cap that was lowered later would make every opening without a run time fail.
      defaultSeconds: (controllerId, channelId) =>
        Math.min(
          capSeconds(controllerId),
          current.channels[channelId]?.defaultRunSeconds ?? DEFAULT_RUN_SECONDS,
        ),
    },
  };
}

/** The settings of all accounts. */
export interface SettingsServices {
  settings(proven: ProvenAccount, token: string): Promise<SettingsService>;
}
