/**
 * Limits of a measured value: a condition begins below one and ends at the other. The gap keeps a value near
 * a limit from raising alarms repeatedly.
 */
export interface HealthLimits {
  readonly beginsBelow: number;
  readonly endsFrom: number;
}

const BATTERY: HealthLimits = { beginsBelow: 20, endsFrom: 25 };
const SIGNAL: HealthLimits = { beginsBelow: -110, endsFrom: -105 };
/** Limits of the device types that differ from {@link BATTERY} and {@link SIGNAL}. */
const OF_TYPE: ReadonlyMap<string, { readonly battery?: HealthLimits; readonly signal?: HealthLimits }> =
  new Map();

/** Return the limits of a low battery, %. */
export const batteryLimits = (deviceType: string | null): HealthLimits =>
  OF_TYPE.get(deviceType ?? "")?.battery ?? BATTERY;

/** Return the limits of a weak signal, dBm. */
export const signalLimits = (deviceType: string | null): HealthLimits =>
  OF_TYPE.get(deviceType ?? "")?.signal ?? SIGNAL;

/** Voltages of a cell between empty and full. */
const CELL_VOLTS = { from: 2.5, to: 4.3 } as const;

/**
 * Return true for a battery value in volts: farm APIs name no unit, and LoRa nodes report the voltage of
 * their cell. A whole number stays per cent, as devices that measure per cent report it: 3 % must never pass
 * for a healthy 3 V.
 */
export const isVolts = (battery: number): boolean =>
  battery >= CELL_VOLTS.from && battery <= CELL_VOLTS.to && !Number.isInteger(battery);

/**
 * Return a percentage as one that {@link isVolts} does not take for volts: whole between 2.5 and 4.3. For a
 * battery whose unit is known to be per cent (BAT-2).
 */
export const certainPercent = (percent: number): number => (isVolts(percent) ? Math.round(percent) : percent);

/** Return the battery in %; null if it is unknown, or in volts, for which no limit is known. */
export const batteryPercent = (battery: number | null): number | null =>
  battery === null || isVolts(battery) ? null : battery;

/** Return true for a battery to change or charge; false for a device without one. */
export function isLowBattery(battery: number | null, deviceType: string | null): boolean {
  const percent = batteryPercent(battery);
  return percent !== null && percent < batteryLimits(deviceType).beginsBelow;
}

/** Return true for a signal that loses messages. */
export const isWeakSignal = (dbm: number | null, deviceType: string | null): boolean =>
  dbm !== null && dbm < signalLimits(deviceType).beginsBelow;
