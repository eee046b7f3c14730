/** Preset run times, minutes. */
export const RUN_TIME_PRESETS = [1, 5, 10, 15, 30] as const;

/** Why a run time is invalid. */
export type RunTimeFault = "tooShort" | "tooLong";

/** Parse typed whole minutes; anything else is NaN. */
export function readMinutes(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Check whole minutes against the controller's limit (RUN-1). */
export function runTimeFault(minutes: number, maxMinutes: number): RunTimeFault | null {
  if (!Number.isInteger(minutes) || minutes < 1) return "tooShort";
  return minutes > maxMinutes ? "tooLong" : null;
}
