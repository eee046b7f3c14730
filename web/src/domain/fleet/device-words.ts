import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { fieldAs } from "@mulkko/shared/catalogue/registry";
import { MISSING } from "@mulkko/shared/rules/format";

const { battery: PERCENT } = FIELDS;

/** Format a battery: 88 %, or 3.6 V. */
export function batteryWords(battery: number | null): string {
  const { unit, decimals } = fieldAs(PERCENT, battery);
  return battery === null ? MISSING : `${battery.toFixed(decimals)} ${unit}`;
}

/** Format a signal: −97 dBm, with a true minus sign. */
export const signalWords = (dbm: number | null): string =>
  dbm === null ? MISSING : `${Math.round(dbm)} dBm`.replace("-", "−");
