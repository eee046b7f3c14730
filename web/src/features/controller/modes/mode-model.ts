import type { Modes } from "@mulkko/shared/entities/modes";
import { MAX_INTERVAL_MINUTES, MAX_MINUTES } from "@mulkko/shared/rest/watering";
import type { Mode, ModeSetting } from "../../../api/modes.ts";

export const MODES: readonly Mode[] = ["automatic", "reservation", "period"];

/**
 * How the farm API stores a mode's values.
 *
 * - `apart`: one call saves, another activates (extension `mode-enable`)
 * - `together`: saving activates the mode; only a reset, which clears the values, deactivates it
 * - `one-by-one`: each value of a COT sensor is a command of its own, and each activates the mode
 */
export type SavingKind = "apart" | "together" | "one-by-one";

/** Fields of the three modes in the form; each mode shows its own. */
export interface ModeValues {
  /** Moisture below which the automatic mode waters, %. */
  readonly low: string;
  /** Moisture at which it stops, %. */
  readonly high: string;
  /** HH:mm in the account's time zone. */
  readonly time: string;
  /** From start to start, minutes. */
  readonly interval: string;
  /** Duration of a watering, minutes. */
  readonly minutes: string;
  /** Null until the user chooses. */
  readonly repeat: boolean | null;
}
export type ModeField = keyof ModeValues;

/** Fields of each mode in display order. */
export const FIELDS_OF: Readonly<Record<Mode, readonly ModeField[]>> = {
  automatic: ["low", "high", "minutes"],
  reservation: ["time", "minutes", "repeat"],
  period: ["interval", "minutes", "repeat"],
};

/** Fault of a field, as a translation key. */
export type ModeFault =
  | "minutesRequired"
  | "minutesRange"
  | "boundRequired"
  | "boundRange"
  | "boundOrder"
  | "timeForm"
  | "intervalRange";

export const EMPTY: ModeValues = { low: "", high: "", time: "", interval: "", minutes: "", repeat: null };

const text = (value: number | string | null | undefined): string => `${value ?? ""}`;

/** Return a mode's values as the channel reports them; empty if there are none. */
export function valuesOf(mode: Mode, modes: Modes | null): ModeValues {
  const minutes = text(modes?.[mode]?.wateringDuration);
  switch (mode) {
    case "automatic": {
      const { lowerBound: low, upperBound: high } = modes?.automatic ?? {};
      return { ...EMPTY, low: text(low), high: text(high), minutes };
    }
    case "reservation": {
      const { onTime, repeat = null } = modes?.reservation ?? {};
      return { ...EMPTY, time: text(onTime), minutes, repeat };
    }
    case "period": {
      const { wateringInterval, repeat = null } = modes?.period ?? {};
      return { ...EMPTY, interval: text(wateringInterval), minutes, repeat };
    }
  }
}

/** Parse whole minutes; NaN if malformed, null for an empty field. */
function minutesOf(raw: string): number | null {
  const trimmed = raw.trim();
  if (trimmed === "") return null;
  return /^\d{1,6}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** Parse a percentage with a decimal point or comma; NaN if malformed, null for an empty field. */
function percentOf(raw: string): number | null {
  const trimmed = raw.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** Parse a time of day as `HH:mm`, also `6:30` and a picker's value with seconds; null for an empty field. */
function timeOf(raw: string): string | null | undefined {
  const trimmed = raw.trim();
  if (trimmed === "") return null;
  const match = /^(\d{1,2}):([0-5]\d)(?::[0-5]\d)?$/.exec(trimmed);
  if (!match || Number(match[1]) > 23) return undefined;
  return `${match[1]?.padStart(2, "0")}:${match[2]}`;
}

/** Return true for a valid interval or duration in minutes. */
const isMinutes = (value: number, most = MAX_MINUTES): boolean => value >= 1 && value <= most;
const isPercent = (value: number): boolean => value >= 0 && value <= 100;

function minutesFault(raw: string): ModeFault | null {
  const minutes = minutesOf(raw);
  if (minutes === null) return "minutesRequired";
  return isMinutes(minutes) ? null : "minutesRange";
}

/**
 * Check a mode's values and return the faults by field. The specification only names the required ones. The
 * ranges are the farm API's, so that a typing error does not water for a week.
 */
export function faultsOf(mode: Mode, values: ModeValues): Partial<Record<ModeField, ModeFault>> {
  const faults: Partial<Record<ModeField, ModeFault>> = {};
  const minutes = minutesFault(values.minutes);
  if (minutes) faults.minutes = minutes;
  switch (mode) {
    case "automatic": {
      const [low, high] = [percentOf(values.low), percentOf(values.high)];
      if (low !== null && !isPercent(low)) faults.low = "boundRange";
      if (high !== null && !isPercent(high)) faults.high = "boundRange";
      if (low === null && high === null) faults.low = "boundRequired";
      else if (low !== null && high !== null && low >= high) faults.low ??= "boundOrder";
      break;
    }
    case "reservation":
      if (timeOf(values.time) === undefined) faults.time = "timeForm";
      break;
    case "period": {
      const interval = minutesOf(values.interval);
      if (interval !== null && !isMinutes(interval, MAX_INTERVAL_MINUTES)) faults.interval = "intervalRange";
      break;
    }
  }
  return faults;
}

/** Problem with values that are valid. */
export type ModeWarning = "noTime" | "noInterval" | "noPause" | "noMoisture";

/** @param measured true if something on the channel measures moisture, or may */
export function warningOf(mode: Mode, values: ModeValues, measured: boolean): ModeWarning | null {
  if (mode === "automatic") return measured ? null : "noMoisture";
  const minutes = minutesOf(values.minutes);
  if (mode === "reservation") return minutes !== null && timeOf(values.time) === null ? "noTime" : null;
  if (mode !== "period" || minutes === null) return null;
  const interval = minutesOf(values.interval);
  if (interval === null) return "noInterval";
  return interval <= minutes ? "noPause" : null;
}

const given = <K extends string, V>(name: K, value: V | null | undefined): Partial<Record<K, V>> => {
  const part: Partial<Record<K, V>> = {};
  if (value !== null && value !== undefined) part[name] = value;
  return part;
};

/**
 * Return the request that saves valid values of a mode. Bounds, time and interval are included if filled, a
 * reservation's repeat always, a period's if the user chose it.
 *
 * An API with a separate call to enable gets `active: false`, which leaves the active mode as it is: saving
 * alone never starts water.
 */
export function settingOf(mode: Mode, values: ModeValues, kind: SavingKind): ModeSetting {
  const wateringDuration = minutesOf(values.minutes) ?? Number.NaN;
  const active = kind === "apart" ? { active: false } : {};
  switch (mode) {
    case "automatic": {
      const bounds = {
        ...given("lowerBound", percentOf(values.low)),
        ...given("upperBound", percentOf(values.high)),
      };
      return { mode, body: { wateringDuration, ...bounds, ...active } };
    }
    case "reservation": {
      const onTime = given("onTime", timeOf(values.time));
      const repeat = values.repeat === true;
      return { mode, body: { offDelayMinutes: wateringDuration, ...onTime, repeat, ...active } };
    }
    case "period": {
      const interval = given("wateringInterval", minutesOf(values.interval));
      return { mode, body: { wateringDuration, ...interval, ...given("repeat", values.repeat), ...active } };
    }
  }
}

/** Return the automatic setting in the form values; null without one. */
export function automaticOf(values: ModeValues): NonNullable<Modes["automatic"]> | null {
  if (Object.keys(faultsOf("automatic", values)).length > 0) return null;
  return {
    lowerBound: percentOf(values.low),
    upperBound: percentOf(values.high),
    wateringDuration: minutesOf(values.minutes) ?? 0,
  };
}

/**
 * Return the initial values of a mode's form: as the channel reports them, or repeating if there are none.
 */
export function formValuesOf(mode: Mode, modes: Modes | null): ModeValues {
  const reported = valuesOf(mode, modes);
  return FIELDS_OF[mode].includes("repeat") ? { ...reported, repeat: reported.repeat ?? true } : reported;
}

/** Return true if two forms of a mode have the same meaning in any notation. */
export function isSameSetting(mode: Mode, a: ModeValues, b: ModeValues): boolean {
  return FIELDS_OF[mode].every((field) => meaningOf(field, a) === meaningOf(field, b));
}

/** Return the meaning of a field: `30`, `30.0` and `30,0` are equal. An invalid value is its own meaning. */
export function meaningOf(field: ModeField, values: ModeValues): string {
  switch (field) {
    case "low":
    case "high":
      return `${percentOf(values[field]) ?? ""}`;
    case "minutes":
    case "interval":
      return `${minutesOf(values[field]) ?? ""}`;
    case "time":
      return timeOf(values.time) ?? values.time.trim();
    case "repeat":
      return `${values.repeat === true}`;
  }
}
