import type { Mode } from "../../api/modes.ts";
import { type ModeField, type ModeValues, meaningOf } from "./mode-model.ts";

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
  reservation: {
    minutes: "reservation/watering",
    time: "reservation/time",
    repeat: "reservation/repeat",
  },
  period: { minutes: "period/watering", interval: "period/time/m", repeat: "period/repeat" },
};

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

const NOTHING: ModeValues = { low: "", high: "", time: "", interval: "", minutes: "", repeat: null };

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
  if (emptied) return [resetCommand(mode), ...commandsOf(mode, NOTHING, values)];
  // A reservation's repeat is always sent (the specification), even if none was stored.
  const isSent = (field: ModeField): boolean =>
    isFilled(field, values) || (field === "repeat" && mode === "reservation");
  const differs = (field: ModeField): boolean =>
    !isFilled(field, before) || meaningOf(field, before) !== meaningOf(field, values);
  const changed = order.filter((field) => isSent(field) && differs(field));
  return changed.length === 0 ? send("minutes") : changed.flatMap(send);
}

/**
 * Result of a series of commands: the accepted ones, and why it stopped, for `labels.error`; null if it did
 * not.
 */
export interface SeriesResult {
  readonly accepted: readonly ModeCommand[];
  readonly failed: { readonly command: ModeCommand; readonly reason: string; readonly sure: boolean } | null;
}

/** Result of one command, as reported by its sender. */
export type CommandResult =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unsure"; readonly reason: string };

/** Send the commands one after another and stop at the first that is not accepted. */
export async function sendInOrder(
  commands: readonly ModeCommand[],
  send: (command: ModeCommand) => Promise<CommandResult>,
): Promise<SeriesResult> {
  const accepted: ModeCommand[] = [];
  for (const command of commands) {
    const result = await send(command);
    if (result.kind !== "taken") {
      return { accepted, failed: { command, reason: result.reason, sure: result.kind === "refused" } };
    }
    accepted.push(command);
  }
  return { accepted, failed: null };
}
