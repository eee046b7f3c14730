const KEY = "mulkko.alarmStrip";

/** Whether an alarm stood over the page when this browser last knew: its room is kept, so that the page does not jump. */
export const isStripExpected = (): boolean => localStorage.getItem(KEY) === "shown";

/** Keeps for the next start whether an alarm stands over the page. */
export function expectStrip(shown: boolean): void {
  if (shown === isStripExpected()) return;
  if (shown) localStorage.setItem(KEY, "shown");
  else localStorage.removeItem(KEY);
}
