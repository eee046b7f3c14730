import { numberOfText } from "./number-text.ts";

/** Valve codes on every wire: 1 on, 2 off, 0 unknown. */
export type ValveCode = 0 | 1 | 2;

export const VALVE_UNKNOWN = 0;
export const VALVE_ON = 1;
export const VALVE_OFF = 2;

/** ms after the press during which an opening may be sent (CMD-10). */
export const OPEN_WINDOW_MS = 15_000;

/** Target of a valve command. */
export type ValveTarget = 1 | 2;

/** Read a valve code of a device or a foreign API; anything but 1 and 2 is unknown. */
export function valveCode(raw: unknown): ValveCode {
  const number = typeof raw === "string" ? numberOfText(raw) : raw;
  return number === VALVE_ON || number === VALVE_OFF ? number : VALVE_UNKNOWN;
}

/** Read a repeat flag: `true` or 1 is on; 2, 0, `false` and everything else is off. */
export function isRepeatOn(raw: unknown): boolean {
  return raw === true || raw === 1 || raw === "1";
}

/** Name of the watering mode that is in charge of a channel. */
export type ActiveMode = "none" | "automatic" | "period" | "reservation";

/** Watering modes by precedence. */
const MODES_BY_RANK = ["automatic", "period", "reservation"] as const;

/**
 * Return every mode whose flag is set (1), the one in charge first: automatic before period before
 * reservation. A farm API may keep a flag for each (MODE-4).
 */
export function modesSwitchedOn(
  flags: Readonly<Record<(typeof MODES_BY_RANK)[number], number>>,
): readonly (typeof MODES_BY_RANK)[number][] {
  return MODES_BY_RANK.filter((mode) => flags[mode] === 1);
}

/** Default seconds of a manual opening (RUN-1). */
export const DEFAULT_RUN_SECONDS = 600;

/** Default maximum of a manual opening, s (RUN-1); a controller may be configured otherwise. */
export const MAX_RUN_SECONDS = 7200;

/** Highest value to which an owner can raise that maximum, s (RUN-1): a paddy is flooded overnight. */
export const LONGEST_RUN_SECONDS = 86_400;

export const MAX_CHANNELS = 8;

/** Default number of channels of a COT sensor. */
const COT_CHANNELS_BY_DEFAULT = 2;

/** Return the number of a COT sensor's channels from the farm API's fields. */
export const cotChannelCount = (chNums: number | null | undefined): number =>
  Math.min(MAX_CHANNELS, Math.max(1, chNums ?? COT_CHANNELS_BY_DEFAULT));

export const MAX_SENSORS_PER_CHANNEL = 3;
