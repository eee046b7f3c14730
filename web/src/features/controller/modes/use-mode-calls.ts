import { useTranslation } from "react-i18next";
import { type CommandFate, newCommandId, sendSetting } from "../../../api/commands.ts";
import { fetchModesOn } from "../../../api/controllers.ts";
import { ApiError, errorReason } from "../../../api/errors.ts";
import { useApiZone, useExtension } from "../../../api/extensions.ts";
import { useRest } from "../../../api/hooks.ts";
import { type Mode, putInCharge, saveSetting } from "../../../api/modes.ts";
import { FormFailure } from "../../../domain/form/refusal.ts";
import { useOutbox } from "../../../domain/valve/use-outbox.ts";
import type { UnitChannel, ValveUnit } from "../../../domain/valve/valve-units.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { type PressTime, usePressTime } from "../../../live/hooks.ts";
import {
  EMPTY,
  FIELDS_OF,
  MODES,
  type ModeField,
  type ModeValues,
  meaningOf,
  type SavingKind,
  settingOf,
} from "./mode-model.ts";

/** Command that sets a single value, as named in the contract. */
export interface ModeCommand {
  readonly command: string;
  readonly payload: number | string;
  /** Field that it sets; `reset` clears all. */
  readonly sets: ModeField | "reset";
}

/** Return the command that clears a mode's values and its repeat flag, and deactivates it. */
export const resetCommand = (mode: Mode): ModeCommand => ({
  command: `${mode}/reset`,
  payload: 1,
  sets: "reset",
});

const NAMES: Readonly<Record<Mode, Partial<Record<ModeField, string>>>> = {
  automatic: { minutes: "automatic/watering", low: "automatic/low", high: "automatic/high" },
  reservation: { minutes: "reservation/watering", time: "reservation/time", repeat: "reservation/repeat" },
  period: { minutes: "period/watering", interval: "period/time/m", repeat: "period/repeat" },
};

/** Return the mode and the field that a command sets; null for a command of the valve. */
export function settingOfCommand(command: string): { mode: Mode; sets: ModeCommand["sets"] } | null {
  for (const mode of MODES) {
    if (command === resetCommand(mode).command) return { mode, sets: "reset" };
    const sets = FIELDS_OF[mode].find((field) => NAMES[mode][field] === command);
    if (sets) return { mode, sets };
  }
  return null;
}

const REPEAT_ON = 1;
const REPEAT_OFF = 2;

function payloadOf(field: ModeField, values: ModeValues): number | string {
  if (field === "repeat") return values.repeat === true ? REPEAT_ON : REPEAT_OFF;
  const meaning = meaningOf(field, values);
  return field === "time" ? meaning : Number(meaning);
}

const isFilled = (field: ModeField, values: ModeValues): boolean =>
  field === "repeat" ? values.repeat !== null : meaningOf(field, values) !== "";

/**
 * Return the order of a mode's values. The duration comes first, so that no run starts without an end; the
 * value that starts a run comes last. Of the two bounds, the first is the one that keeps the minimum below
 * the maximum.
 */
function orderOf(mode: Mode, before: ModeValues, values: ModeValues): readonly ModeField[] {
  switch (mode) {
    case "automatic": {
      const [low, high] = [meaningOf("low", values), meaningOf("high", before)];
      const rises = low !== "" && high !== "" && Number(low) >= Number(high);
      return rises ? ["minutes", "high", "low"] : ["minutes", "low", "high"];
    }
    case "reservation":
      return ["minutes", "repeat", "time"];
    case "period":
      return ["minutes", "repeat", "interval"];
  }
}

/**
 * Return the commands that change a COT sensor's channel from the reported values to valid new ones. Only
 * differences are sent. Without a difference the watering time is sent again, because each value activates
 * the mode. No command removes a single value: to empty one, a reset comes first and all values follow.
 */
export function commandsOf(mode: Mode, before: ModeValues, values: ModeValues): readonly ModeCommand[] {
  const order = orderOf(mode, before, values);
  const send = (field: ModeField): ModeCommand[] => {
    const command = NAMES[mode][field];
    return command === undefined ? [] : [{ command, payload: payloadOf(field, values), sets: field }];
  };
  const emptied = order.some((field) => isFilled(field, before) && !isFilled(field, values));
  if (emptied) return [resetCommand(mode), ...commandsOf(mode, EMPTY, values)];
  // A reservation's repeat is always sent (the specification), even if none was stored.
  const isSent = (field: ModeField): boolean =>
    isFilled(field, values) || (field === "repeat" && mode === "reservation");
  const differs = (field: ModeField): boolean =>
    !isFilled(field, before) || meaningOf(field, before) !== meaningOf(field, values);
  const changed = order.filter((field) => isSent(field) && differs(field));
  return changed.length === 0 ? send("minutes") : changed.flatMap(send);
}

/** Return the result of a command whose call failed. */
const fateOfError = (error: unknown): CommandFate => ({
  kind: error instanceof ApiError && !error.temporary ? "refused" : "unsure",
  reason: errorReason(error),
});

/** Calls for switching the other modes off. */
interface OtherModeCalls {
  /** Read the modes that the channel reports as on; null if it does not report them. */
  read(): Promise<readonly Mode[] | null>;
  reset(mode: Mode): Promise<void>;
  pause(ms: number): Promise<void>;
}

/** Number of reads with a pause between them, because a device may take some seconds to report. */
const MAX_READS = 6;
const PAUSE_MS = 2_000;

/**
 * After saving a mode, reset every other mode that the channel still reports as on (MODE-4). An API that
 * switches them off by itself first gets time to report that, because a reset clears values.
 *
 * @returns the modes still reported as on; null if modes are not reported
 */
export async function switchOthersOff(mode: Mode, calls: OtherModeCalls): Promise<readonly Mode[] | null> {
  const othersOf = (on: readonly Mode[]): readonly Mode[] => on.filter((each) => each !== mode);
  const readUntil = async (isSettled: (on: readonly Mode[]) => boolean): Promise<readonly Mode[] | null> => {
    let on = await calls.read();
    for (let attempt = 1; attempt < MAX_READS && on !== null && !isSettled(on); attempt += 1) {
      await calls.pause(PAUSE_MS);
      on = await calls.read();
    }
    return on;
  };
  const on = await readUntil((reported) => reported.includes(mode) || othersOf(reported).length === 0);
  if (on === null) return null;
  const others = othersOf(on);
  if (others.length === 0) return others;
  for (const other of others) await calls.reset(other);
  const after = await readUntil((reported) => othersOf(reported).length === 0);
  return after === null ? null : othersOf(after);
}

/**
 * Return how the channel's modes are saved. Null until the relay has reported the farm API's extensions,
 * because the same call only saves on one API and opens water on another.
 */
export function useSavingKind(form: ValveUnit["form"]): SavingKind | null {
  const isKnown = useApiZone() !== null;
  const apart = useExtension("mode-enable");
  if (form === "sensor") return "one-by-one";
  if (!isKnown) return null;
  return apart ? "apart" : "together";
}

/** Calls for a channel's modes. Each throws an error that a form can show: a refusal or a `FormFailure`. */
export function useModeCalls(unit: ValveUnit, channel: UnitChannel) {
  const { client } = useRest();
  const outbox = useOutbox();
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const press = usePressTime();
  const { controllerId, number } = channel.value;
  const { form, serial } = unit;
  const channelId = channel.id;
  const reasonTexts = (error: unknown): string =>
    error instanceof FormFailure ? error.message : labels.error(errorReason(error));
  /** Send the commands one after another and stop at the first that is not accepted. */
  const sendAll = async (commands: readonly ModeCommand[], pressed: PressTime | null): Promise<void> => {
    const accepted: string[] = [];
    for (const { sets, ...setting } of commands) {
      const command = { commandId: newCommandId(), form, controllerId, number, ...setting, pressed };
      const fate = await sendSetting(client, command).catch(fateOfError);
      const what = t(`mode.notice.${sets}`);
      if (fate.kind === "taken") {
        accepted.push(what);
        continue;
      }
      const sentences = [
        t(fate.kind === "refused" ? "mode.refused" : "mode.unsure", { what }),
        fate.reason === "command-expired" ? t("mode.late") : labels.error(fate.reason),
      ];
      if (accepted.length > 0) sentences.push(t("mode.partly", { what: accepted.join(", ") }));
      throw new FormFailure(sentences.join(" "));
    }
  };
  /** Replace the text of an expired command: the general one is about openings. */
  const failInTime = (error: unknown): never => {
    throw error instanceof ApiError && error.code === "command-expired"
      ? new FormFailure(t("mode.late"))
      : error;
  };
  /** If saving activates a mode, the farm API may leave the others on. */
  const endOthers = async (mode: Mode): Promise<void> => {
    const still = await switchOthersOff(mode, {
      read: () => fetchModesOn(client, serial, form === "controller" ? channelId : number),
      reset: (other) => sendAll([resetCommand(other)], null),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }).catch((error: unknown) => {
      throw new FormFailure(`${t("mode.othersUnsure")} ${reasonTexts(error)}`);
    });
    if (still === null || still.length === 0) return;
    const what = still.map((each) => t(`common:mode.${each}`)).join(", ");
    throw new FormFailure(t("mode.othersOn", { what }));
  };
  return {
    /** @param reported the values in the channel's report */
    async save(mode: Mode, kind: SavingKind, reported: ModeValues, values: ModeValues) {
      const pressed = press();
      if (kind !== "apart") outbox.modeOn(channelId);
      if (kind === "one-by-one") await sendAll(commandsOf(mode, reported, values), pressed);
      else await saveSetting(client, channelId, settingOf(mode, values, kind), pressed).catch(failInTime);
      if (kind !== "apart") await endOthers(mode);
    },
    /** Put a mode in charge; only with the extension `mode-enable`. It replaces a stored switch-off. */
    charge(mode: Mode) {
      outbox.modeOn(channelId);
      return putInCharge(client, channelId, mode, press()).catch(failInTime);
    },
    /**
     * Switch a mode off. It opens nothing and is stored until the relay has answered (CMD-8).
     *
     * @param way `charge` keeps the values (extension `mode-enable`), `reset` clears them
     * @returns false if the user took it back
     */
    async switchOff(mode: Mode, way: "charge" | "reset"): Promise<boolean> {
      const off = { form, controllerId, number, mode, way };
      const outcome = await outbox.modeOff(off, { channelId, name: channel.name });
      if (outcome.kind === "refused") {
        // The page that pressed it shows the reason.
        outbox.dismiss(outcome.id);
        const refused = way === "reset" ? `${t("mode.refused", { what: t("mode.notice.reset") })} ` : "";
        throw new FormFailure(refused + labels.error(outcome.reason));
      }
      return outcome.kind === "taken";
    },
    /** Return the reason of a failed call as text. */
    reasonTexts,
  };
}
