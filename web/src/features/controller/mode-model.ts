import type { Modes } from "@mulkko/shared/live/devices";
import { MAX_MINUTES } from "@mulkko/shared/rest/watering";
import type { Mode, ModeSetting } from "../../rest/modes.ts";

export const MODES: readonly Mode[] = ["automatic", "reservation", "period"];

/**
 * How the farm API takes a mode's values.
 *
 * - `apart`: saved by one call, put in charge by another (extension `mode-enable`)
 * - `together`: saving puts the mode in charge; only a reset, which clears the values, ends that
 * - `one-by-one`: a COT sensor is told each value by a command of its own, and each puts the mode in charge
 */
export type SavingKind = "apart" | "together" | "one-by-one";

/** The fields of the three modes as they stand in the form; each mode draws its own. */
export interface ModeValues {
  /** Moisture below which the automatic mode waters, %. */
  readonly low: string;
  /** Moisture at which it stops, %. */
  readonly high: string;
  /** HH:mm in the account's zone. */
  readonly time: string;
  /** From start to start, minutes. */
  readonly interval: string;
  /** How long water runs, minutes. */
  readonly minutes: string;
  /** Null until somebody says. */
  readonly repeat: boolean | null;
}
export type ModeField = keyof ModeValues;

/** The fields that a mode has, in the order in which they are drawn. */
export const FIELDS_OF: Readonly<Record<Mode, readonly ModeField[]>> = {
  automatic: ["low", "high", "minutes"],
  reservation: ["time", "minutes", "repeat"],
  period: ["interval", "minutes", "repeat"],
};

/** What is wrong with a field, by the words for it. */
export type ModeFault =
  | "minutesRequired"
  | "minutesRange"
  | "boundRequired"
  | "boundRange"
  | "boundOrder"
  | "timeForm"
  | "intervalRange";

const EMPTY: ModeValues = { low: "", high: "", time: "", interval: "", minutes: "", repeat: null };

const text = (value: number | string | null): string => (value === null ? "" : `${value}`);

/** A mode's values as the channel reports them; empty where it has none. */
export function valuesOf(mode: Mode, modes: Modes | null): ModeValues {
  switch (mode) {
    case "automatic": {
      const set = modes?.automatic;
      if (!set) return EMPTY;
      return {
        ...EMPTY,
        low: text(set.lowerBound),
        high: text(set.upperBound),
        minutes: text(set.wateringDuration),
      };
    }
    case "reservation": {
      const set = modes?.reservation;
      if (!set) return EMPTY;
      return { ...EMPTY, time: text(set.onTime), minutes: text(set.wateringDuration), repeat: set.repeat };
    }
    case "period": {
      const set = modes?.period;
      if (!set) return EMPTY;
      return {
        ...EMPTY,
        interval: text(set.wateringInterval),
        minutes: text(set.wateringDuration),
        repeat: set.repeat,
      };
    }
  }
}

/** Whole minutes; NaN for what is none, null for an empty field. */
function minutesOf(raw: string): number | null {
  const trimmed = raw.trim();
  if (trimmed === "") return null;
  return /^\d{1,6}$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** A share of 100, with a decimal point or comma; NaN for what is none, null for an empty field. */
function percentOf(raw: string): number | null {
  const trimmed = raw.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** A time of day as `HH:mm`, also of `6:30` and of a picker that adds seconds; null for an empty field. */
function timeOf(raw: string): string | null | undefined {
  const trimmed = raw.trim();
  if (trimmed === "") return null;
  const match = /^(\d{1,2}):([0-5]\d)(?::[0-5]\d)?$/.exec(trimmed);
  if (!match || Number(match[1]) > 23) return undefined;
  return `${match[1]?.padStart(2, "0")}:${match[2]}`;
}

/** Minutes that a mode may wait or water. */
const isMinutes = (value: number): boolean => value >= 1 && value <= MAX_MINUTES;
const isPercent = (value: number): boolean => value >= 0 && value <= 100;

function minutesFault(raw: string): ModeFault | null {
  const minutes = minutesOf(raw);
  if (minutes === null) return "minutesRequired";
  return isMinutes(minutes) ? null : "minutesRange";
}

/**
 * What is wrong with a mode's values, field by field. The specification knows the required ones alone; the ranges
 * are the farm API's, as a typing error must not water for a week.
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
      if (interval !== null && !isMinutes(interval)) faults.interval = "intervalRange";
      break;
    }
  }
  return faults;
}

/** What a person should know of values that are allowed. */
export type ModeWarning = "noTime" | "noInterval" | "noPause" | "noMoisture";

/** @param measured something on the channel measures moisture, or may */
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
 * The body that saves a mode, of values without a fault. Bounds, the time and the interval go only where they are
 * filled; the reservation's repeat always, the period's where somebody has said.
 *
 * On an API that keeps saving and enabling apart it says `active: false`, which leaves the mode in charge as it is,
 * whoever has changed that meanwhile: saving alone never starts water.
 */
export function settingOf(mode: Mode, values: ModeValues, kind: SavingKind): ModeSetting {
  const wateringDuration = minutesOf(values.minutes) ?? Number.NaN;
  const active = kind === "apart" ? { active: false } : {};
  switch (mode) {
    case "automatic":
      return {
        mode,
        body: {
          wateringDuration,
          ...given("lowerBound", percentOf(values.low)),
          ...given("upperBound", percentOf(values.high)),
          ...active,
        },
      };
    case "reservation":
      return {
        mode,
        body: {
          offDelayMinutes: wateringDuration,
          ...given("onTime", timeOf(values.time)),
          repeat: values.repeat === true,
          ...active,
        },
      };
    case "period":
      return {
        mode,
        body: {
          wateringDuration,
          ...given("wateringInterval", minutesOf(values.interval)),
          ...given("repeat", values.repeat),
          ...active,
        },
      };
  }
}

/** Return the automatic setting that the values say; null where they say none. */
export function automaticOf(values: ModeValues): NonNullable<Modes["automatic"]> | null {
  if (Object.keys(faultsOf("automatic", values)).length > 0) return null;
  return {
    lowerBound: percentOf(values.low),
    upperBound: percentOf(values.high),
    wateringDuration: minutesOf(values.minutes) ?? 0,
  };
}

/** Return a mode's values as its form begins: as the channel reports them, and where it has none, repeating. */
export function formValuesOf(mode: Mode, modes: Modes | null): ModeValues {
  const reported = valuesOf(mode, modes);
  return FIELDS_OF[mode].includes("repeat") ? { ...reported, repeat: reported.repeat ?? true } : reported;
}

/** True if two forms of a mode say the same, however it is written. */
export function isSameSetting(mode: Mode, a: ModeValues, b: ModeValues): boolean {
  return FIELDS_OF[mode].every((field) => meaningOf(field, a) === meaningOf(field, b));
}

/** A field's meaning: `30`, `30.0` and `30,0` are one. What is no value at all is its own text. */
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
