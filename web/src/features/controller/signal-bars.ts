/** dBm from which a signal has one, two, three and four bars. */
const STEPS = [-115, -100, -85, -70] as const;

/** Return the bars, 0 to 4, of a signal strength in dBm; 0 if unknown. */
export function signalBars(rssi: number | null): number {
  return rssi === null ? 0 : STEPS.filter((step) => rssi >= step).length;
}
