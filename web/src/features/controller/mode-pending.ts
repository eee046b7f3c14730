import type { Modes } from "@mulkko/shared/live/devices";
import type { Mode } from "../../rest/modes.ts";
import { isSameSetting, type ModeValues, valuesOf } from "./mode-model.ts";

/**
 * Something that the farm API has taken of this page, and that the channel does not report yet. `values` are what
 * was saved with it, null where nothing was.
 */
export interface ModePending {
  readonly kind: "save" | "on" | "off" | "reset";
  readonly mode: Mode;
  readonly values: ModeValues | null;
  /** ms on the server's clock. */
  readonly since: number;
}

/** How long a report may be out before the page says that it is, ms: the farm API is polled once a minute. */
export const PENDING_MS = 75_000;

/** True once the channel reports what was asked of it. Nothing is shown as done before (the valve never lies). */
export function isDone({ kind, mode, values }: ModePending, modes: Modes | null): boolean {
  const active = modes?.active ?? "none";
  const reported = valuesOf(mode, modes);
  const isKept = values === null || isSameSetting(mode, reported, values);
  switch (kind) {
    case "save":
      return isKept;
    case "on":
      return active === mode && isKept;
    case "off":
      return active !== mode;
    case "reset":
      return active !== mode && (modes?.[mode] ?? null) === null;
  }
}
