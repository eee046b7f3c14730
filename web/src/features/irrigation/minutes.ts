import { LONGEST_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";

/** Minutes to which the limit of manual openings can be raised (RUN-1). */
export const HARD_CAP_MINUTES = LONGEST_RUN_SECONDS / 60;

/** Minutes that no manual opening may exceed where nothing is set (RUN-1). */
export const USUAL_CAP_MINUTES = MAX_RUN_SECONDS / 60;

/** Why typed minutes cannot be. */
export type MinutesFault = "not-whole" | "too-many";

/** Reads typed minutes: null for none typed; `fault` where they are no whole number from 1 to `most`. */
export function readMinutes(
  text: string,
  most: number,
): { minutes: number | null; fault: MinutesFault | null } {
  const typed = text.trim();
  if (typed === "") return { minutes: null, fault: null };
  const minutes = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (minutes < 1) return { minutes: null, fault: "not-whole" };
  return minutes > most ? { minutes: null, fault: "too-many" } : { minutes, fault: null };
}
