/** Minutes that the dialog offers with one press. */
export const RUN_TIME_PRESETS = [1, 5, 10, 15, 30] as const;

/** Why a run time cannot be used. */
export type RunTimeFault = "tooShort" | "tooLong";

/** Reads typed minutes: whole minutes only, anything else is NaN. */
export function readMinutes(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Checks whole minutes against what the controller allows (RUN-1). */
export function runTimeFault(minutes: number, maxMinutes: number): RunTimeFault | null {
  if (!Number.isInteger(minutes) || minutes < 1) return "tooShort";
  return minutes > maxMinutes ? "tooLong" : null;
}
