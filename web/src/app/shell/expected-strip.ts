const KEY = "mulkko.alarmStrip";

/**
 * Return true if the alarm strip was shown when this browser last knew. The page then reserves its space and
 * avoids a layout shift.
 */
export const isStripExpected = (): boolean => localStorage.getItem(KEY) === "shown";

/** Store for the next start that the alarm strip is shown or hidden. */
export function expectStrip(shown: boolean): void {
  if (shown === isStripExpected()) return;
  if (shown) localStorage.setItem(KEY, "shown");
  else localStorage.removeItem(KEY);
}
