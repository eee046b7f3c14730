/** Valve codes on every wire: 1 on, 2 off, 0 unknown. */
export type ValveCode = 0 | 1 | 2;

export const VALVE_UNKNOWN = 0;
export const VALVE_ON = 1;
export const VALVE_OFF = 2;

/** What a command may ask of a valve. */
export type ValveTarget = 1 | 2;

/** Reads a valve code of a device or a foreign API; anything but 1 and 2 is unknown. */
export function valveCode(raw: unknown): ValveCode {
  const number = typeof raw === "string" ? Number(raw) : raw;
  return number === VALVE_ON || number === VALVE_OFF ? number : VALVE_UNKNOWN;
}

/** Reads a repeat flag: `true` or 1 is on; 2, 0, `false` and everything else is off. */
export function isRepeatOn(raw: unknown): boolean {
  return raw === true || raw === 1 || raw === "1";
}

/** Name of the watering mode that is in charge of a channel. */
export type ActiveMode = "none" | "automatic" | "period" | "reservation";

/**
 * The mode in charge by its flags (1 = active). When several are set, automatic wins over period and period
 * over reservation.
 */
export function activeMode(flags: { automatic: number; period: number; reservation: number }): ActiveMode {
  if (flags.automatic === 1) return "automatic";
  if (flags.period === 1) return "period";
  if (flags.reservation === 1) return "reservation";
  return "none";
}

/** Seconds a manual opening runs when nobody says otherwise (RUN-1). */
export const DEFAULT_RUN_SECONDS = 600;

/** Seconds no manual opening may exceed unless a controller is configured otherwise (RUN-1). */
export const MAX_RUN_SECONDS = 7200;

export const MAX_CHANNELS = 8;

/** Channels of a COT sensor that does not say how many it has. */
const COT_CHANNELS_BY_DEFAULT = 2;

/** How many channels a COT sensor has, by what a farm API says of it. */
export const cotChannelCount = (chNums: number | null | undefined): number =>
  Math.min(MAX_CHANNELS, Math.max(1, chNums ?? COT_CHANNELS_BY_DEFAULT));

export const MAX_SENSORS_PER_CHANNEL = 3;
