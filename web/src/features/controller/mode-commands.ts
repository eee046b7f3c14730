import type { Mode } from "../../rest/modes.ts";
import { type ModeField, type ModeValues, meaningOf } from "./mode-model.ts";

/** One command of the older form, as the contract names it. */
export interface ModeCommand {
  readonly command: string;
  readonly payload: number | string;
  /** What it sets; `reset` clears all. */
  readonly sets: ModeField | "reset";
}

/** Clears a mode's values and its repeat flag, and takes it out of charge. */
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
 * The order in which a mode's values are told. How long water runs comes first, so that nothing begins without an
 * end; what begins a run comes last. Of the two bounds the one comes first that keeps the minimum below the maximum.
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
 * The commands that bring a COT sensor's channel from `before`, as it is reported, to `values`, which have no fault.
 * Only what differs is told; where nothing differs, the watering time is told again, as each value puts the mode in
 * charge. No command takes a single value away: where one was emptied, a reset goes first and all values after it.
 */
export function commandsOf(mode: Mode, before: ModeValues, values: ModeValues): readonly ModeCommand[] {
  const order = orderOf(mode, before, values);
  const tell = (field: ModeField): ModeCommand[] => {
    const command = NAMES[mode][field];
    return command === undefined ? [] : [{ command, payload: payloadOf(field, values), sets: field }];
  };
  const emptied = order.some((field) => isFilled(field, before) && !isFilled(field, values));
  if (emptied) return [resetCommand(mode), ...commandsOf(mode, NOTHING, values)];
  // A reservation's repeat is always said (the specification), also where nothing was stored before.
  const said = (field: ModeField): boolean =>
    isFilled(field, values) || (field === "repeat" && mode === "reservation");
  const differs = (field: ModeField): boolean =>
    !isFilled(field, before) || meaningOf(field, before) !== meaningOf(field, values);
  const changed = order.filter((field) => said(field) && differs(field));
  return changed.length === 0 ? tell("minutes") : changed.flatMap(tell);
}

/** What became of a row of commands: which were taken, and why it stopped, for `labels.error`; null: nothing did. */
export interface Told {
  readonly taken: readonly ModeCommand[];
  readonly failed: { readonly command: ModeCommand; readonly reason: string; readonly sure: boolean } | null;
}

/** A command's fate, as the one who sends it tells. */
export type TellFate =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unsure"; readonly reason: string };

/** Tells them one after another, and no further than the first that was not taken. */
export async function tellInOrder(
  commands: readonly ModeCommand[],
  tell: (command: ModeCommand) => Promise<TellFate>,
): Promise<Told> {
  const taken: ModeCommand[] = [];
  for (const command of commands) {
    const fate = await tell(command);
    if (fate.kind !== "taken") {
      return { taken, failed: { command, reason: fate.reason, sure: fate.kind === "refused" } };
    }
    taken.push(command);
  }
  return { taken, failed: null };
}
