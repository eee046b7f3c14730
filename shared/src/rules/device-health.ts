/**
 * Limits of a low battery (%) and a weak signal (dBm), and the limits of their recovery. The gap between the
 * two keeps a value near a limit from raising alarms repeatedly.
 */
export const DEVICE_HEALTH = {
  battery: { lowBelow: 20, wellFrom: 25 },
  signal: { weakBelow: -110, wellFrom: -105 },
} as const;

/** Voltages of a cell between empty and full. */
const CELL_VOLTS = { from: 2.5, to: 4.3 } as const;

/**
 * Return true for a battery value in volts: farm APIs name no unit, and LoRa nodes report the voltage of
 * their cell. A whole number stays per cent, as devices that measure per cent report it: 3 % must never pass
 * for a healthy 3 V.
 */
export const isVolts = (battery: number): boolean =>
  battery >= CELL_VOLTS.from && battery <= CELL_VOLTS.to && !Number.isInteger(battery);

/** Return the battery in %; null if it is unknown, or in volts, for which no limit is known. */
export const batteryPercent = (battery: number | null): number | null =>
  battery === null || isVolts(battery) ? null : battery;

/** Return true for a battery to change or charge; false for a device without one. */
export function isLowBattery(battery: number | null): boolean {
  const percent = batteryPercent(battery);
  return percent !== null && percent < DEVICE_HEALTH.battery.lowBelow;
}

/** Return true for a signal that loses messages. */
export const isWeakSignal = (dbm: number | null): boolean =>
  dbm !== null && dbm < DEVICE_HEALTH.signal.weakBelow;
