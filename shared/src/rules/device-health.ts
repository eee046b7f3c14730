/**
 * When a battery (%) is low and a signal (dBm) is weak, and from where on they are well again: the gap between the two
 * keeps a value that wavers around one of them from being news over and over.
 */
export const DEVICE_HEALTH = {
  battery: { lowBelow: 20, wellFrom: 25 },
  signal: { weakBelow: -110, wellFrom: -105 },
} as const;

/** True for a battery that wants to be changed or charged; a device without one has none that is low. */
export const isLowBattery = (percent: number | null): boolean =>
  percent !== null && percent < DEVICE_HEALTH.battery.lowBelow;

/** True for a signal of which messages get lost. */
export const isWeakSignal = (dbm: number | null): boolean =>
  dbm !== null && dbm < DEVICE_HEALTH.signal.weakBelow;
