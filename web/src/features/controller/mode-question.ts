import type { ActiveMode } from "@mulkko/shared/rules/valve";
import type { Mode } from "../../rest/modes.ts";
import type { SavingKind } from "./mode-model.ts";

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
    }
  | {
      readonly kind: "off" | "reset";
      readonly mode: Mode;
      /** Its values are gone after it. */
      readonly clears: boolean;
      /** Water that this mode has begun runs now. */
      readonly running: boolean;
    };

/** What is known where somebody presses. */
export interface ModeFacts {
  readonly mode: Mode;
  readonly kind: SavingKind;
  readonly active: ActiveMode;
  /** The form differs from what the channel reports, or nothing is stored yet. */
  readonly unsaved: boolean;
  /** The mode whose water runs now. */
  readonly running: Mode | null;
}

/** Before the mode is put in charge; null: nothing has to be asked. */
export function questionBeforeOn({ mode, kind, active, unsaved, running }: ModeFacts): ModeQuestion | null {
  const replaces = active === "none" || active === mode ? null : active;
  // Where saving is enabling, the button says that it saves.
  const saves = kind === "apart" && unsaved;
  if (replaces === null && !saves) return null;
  return { kind: "on", mode, replaces, saves, running: replaces !== null && running === replaces };
}

/** Before the mode is taken out of charge. Without the extension that is a reset, which clears its values. */
export function questionBeforeOff({ mode, kind, running }: ModeFacts): ModeQuestion | null {
  const clears = kind !== "apart";
  const isRunning = running === mode;
  return clears || isRunning ? { kind: "off", mode, clears, running: isRunning } : null;
}

/** A reset is always asked: it cannot be taken back. */
export function questionBeforeReset({ mode, running }: ModeFacts): ModeQuestion {
  return { kind: "reset", mode, clears: true, running: running === mode };
}
