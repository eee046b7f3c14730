import { MISSING } from "@mulkko/shared/rules/format";

/** A battery in words: 88 %. */
export const batteryWords = (percent: number | null): string =>
  percent === null ? MISSING : `${Math.round(percent)} %`;

/** A signal in words: −97 dBm, with a true minus. */
export const signalWords = (dbm: number | null): string =>
  dbm === null ? MISSING : `${Math.round(dbm)} dBm`.replace("-", "−");
