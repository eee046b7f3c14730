import { automaticNext } from "@mulkko/shared/rules/automatic-mode";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ActiveMode, ValveCode } from "@mulkko/shared/rules/valve";
import type { Mode } from "../../rest/modes.ts";
import { automaticOf, type ModeValues, type SavingKind } from "./mode-model.ts";

/**
 * What is asked before a mode is put in charge or taken out of it. The parts that are true stand in the question,
 * each with a sentence of its own.
 */
export type ModeQuestion =
  | {
      readonly kind: "on";
      readonly mode: Mode;
      /** The mode that this ends. */
      readonly replaces: Mode | null;
      /** What stands in the form is saved with it. */
      readonly saves: boolean;
      /** Water that the other mode has begun runs now. */
      readonly running: boolean;
      /** The mode's first step once it is in charge, where that is water. */
      readonly water: StartsWater | null;
    }
  /** The saved values of the mode in charge start water. */
  | {
      readonly kind: "save";
      readonly mode: Mode;
      readonly running: false;
      readonly water: StartsWater;
    }
  | {
      readonly kind: "off" | "reset";
      readonly mode: Mode;
      /** Its values are gone after it. */
      readonly clears: boolean;
      /** Water that this mode has begun runs now. */
      readonly running: boolean;
    };

/** Water that a press starts: at once, or after the pause of the automatic mode (ms UTC). */
export type StartsWater =
  | {
      readonly kind: "at-once";
      /** % */
      readonly moisture: number;
      /** False where a controller executes the mode by rules of its own, or may not hear of it. */
      readonly sure: boolean;
    }
  | { readonly kind: "after"; readonly moisture: number; readonly at: number };

/** Facts that decide if the automatic mode opens. */
export interface WaterFacts {
  readonly kind: SavingKind;
  /** Of the channel, as it is drawn. */
  readonly quality: DrawnQuality | null;
  readonly onoff: ValveCode;
  /** % */
  readonly moisture: number | null;
  /** When its newest run ended, ms UTC. */
  readonly automaticEnd: number | null;
  /** ms UTC */
  readonly now: number;
}

/** Return the water that automatic with these values starts (MODE-1); null where it starts none, or water runs already. */
export function waterOfAutomatic(values: ModeValues, facts: WaterFacts): StartsWater | null {
  const { kind, quality, onoff, moisture, automaticEnd, now } = facts;
  const setting = automaticOf(values);
  if (onoff === 1 || moisture === null || setting === null) return null;
  if (kind !== "apart") {
    const bound = setting.lowerBound ?? setting.upperBound;
    return bound !== null && moisture < bound ? { kind: "at-once", moisture, sure: false } : null;
  }
  const next = automaticNext(setting, moisture, automaticEnd, now);
  if (next.kind === "opens-after") return { kind: "after", moisture, at: next.at };
  return next.kind === "opens" ? { kind: "at-once", moisture, sure: quality === "fresh" } : null;
}

/** What is known where somebody presses. */
export interface ModeFacts {
  readonly mode: Mode;
  readonly kind: SavingKind;
  readonly active: ActiveMode;
  /** The form differs from what the channel reports, or nothing is stored yet. */
  readonly unsaved: boolean;
  /** The mode whose water runs now. */
  readonly running: Mode | null;
  /** Return the first step of the mode with the form's values once it is in charge. */
  readonly water: StartsWater | null;
}

/** Before the mode is put in charge; null: nothing has to be asked. */
export function questionBeforeOn(facts: ModeFacts): ModeQuestion | null {
  const { mode, kind, active, unsaved, running, water } = facts;
  const replaces = active === "none" || active === mode ? null : active;
  // Where saving is enabling, the button says that it saves.
  const saves = kind === "apart" && unsaved;
  if (replaces === null && !saves && water === null) return null;
  return { kind: "on", mode, replaces, saves, running: replaces !== null && running === replaces, water };
}

/** Before other values of the mode in charge are saved; null: they start no water. */
export function questionBeforeSave({ mode, active, water }: ModeFacts): ModeQuestion | null {
  return active === mode && water?.kind === "at-once" ? { kind: "save", mode, running: false, water } : null;
}

/** Before the mode is taken out of charge. Without the extension that is a reset, which clears its values. */
export function questionBeforeOff({
  mode,
  kind,
  running,
}: Pick<ModeFacts, "mode" | "kind" | "running">): ModeQuestion | null {
  const clears = kind !== "apart";
  const isRunning = running === mode;
  return clears || isRunning ? { kind: "off", mode, clears, running: isRunning } : null;
}

/** A reset is always asked: it cannot be taken back. */
export function questionBeforeReset({ mode, running }: ModeFacts): ModeQuestion {
  return { kind: "reset", mode, clears: true, running: running === mode };
}
