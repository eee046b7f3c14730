import { type Modes, modesOn } from "@mulkko/shared/entities/modes";
import type { Mode } from "../../../api/modes.ts";
import { isSameSetting, type ModeValues, valuesOf } from "./mode-model.ts";

/**
 * Change that the farm API accepted from this page and the channel has not reported yet. `values` were saved
 * with it; null if none were.
 */
export interface ModePending {
  readonly kind: "save" | "on" | "off" | "reset";
  readonly mode: Mode;
  readonly values: ModeValues | null;
  /** ms on the server's clock. */
  readonly since: number;
  /** True without an answer: the change may have been made (CMD-19). */
  readonly unsure: boolean;
}

/** Milliseconds until the page says that a report is overdue: the farm API is polled once a minute. */
export const PENDING_MS = 75_000;

/** Return true once the channel reports the requested change. Nothing is shown as done before that. */
export function isDone({ kind, mode, values }: ModePending, modes: Modes | null): boolean {
  const on = modesOn(modes);
  if (modes === null || on === null) return false;
  const reported = valuesOf(mode, modes);
  const isStored = values === null || isSameSetting(mode, reported, values);
  switch (kind) {
    case "save":
      return isStored;
    case "on":
      return modes.active === mode && on.length === 1 && isStored;
    case "off":
      return !on.includes(mode);
    case "reset":
      return !on.includes(mode) && modes[mode] === null;
  }
}
