import type { ActiveMode } from "@mulkko/shared/rules/valve";
import type { Automatic, Period, Reservation } from "../modules/watering/rules.ts";
import { isTimeZone, MINUTE_MS } from "./time-of-day.ts";

/** A mode that has a setting. */
export type Mode = Exclude<ActiveMode, "none">;

/** All that the engine knows of how a channel is to be watered. Times are minutes, bounds percent. */
export interface EngineSettings {
  /** Which mode is in charge. */
  readonly active: ActiveMode;
  /** Counts how often a mode was put in charge, so that hearing of it twice is not doing it twice. */
  readonly revision: number;
  /** IANA name of the zone of `onTime`. */
  readonly timezone: string;
  readonly automatic: Automatic | null;
  readonly reservation: Reservation | null;
  readonly period: Period | null;
  /** Whether anything on the channel measures moisture. */
  readonly hasMoisture: boolean;
}

/** What keeps the mode in charge from running; told as `incomplete`. */
export type Missing = "setting" | "duration" | "bounds" | "sensor" | "time" | "interval";

/** Longest run of a mode, and longest interval, minutes. */
const MAX_MODE_MINUTES = 1_440;

export const NO_SETTINGS: EngineSettings = {
  active: "none",
  revision: 0,
  timezone: "UTC",
  automatic: null,
  reservation: null,
  period: null,
  hasMoisture: false,
};

const isMinutes = (value: number | null): value is number =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= MAX_MODE_MINUTES;

function missingOfAutomatic(setting: Automatic, hasMoisture: boolean): Missing | null {
  const { lowerBound, upperBound, wateringDuration } = setting;
  if (!isMinutes(wateringDuration)) return "duration";
  if (lowerBound === null && upperBound === null) return "bounds";
  if (lowerBound !== null && upperBound !== null && lowerBound >= upperBound) return "bounds";
  return hasMoisture ? null : "sensor";
}

/** What the mode in charge lacks; null where it can run, or where none is in charge. */
export function missingOf(settings: EngineSettings): Missing | null {
  const { active, automatic, reservation, period } = settings;
  switch (active) {
    case "none":
      return null;
    case "automatic":
      return automatic ? missingOfAutomatic(automatic, settings.hasMoisture) : "setting";
    case "reservation":
      if (!reservation) return "setting";
      if (!isMinutes(reservation.wateringDuration)) return "duration";
      return reservation.onTime !== null && isTimeZone(settings.timezone) ? null : "time";
    case "period": {
      if (!period) return "setting";
      const { wateringDuration, wateringInterval } = period;
      if (!isMinutes(wateringDuration)) return "duration";
      // Start to start: one that is not longer than the run would never close the valve.
      return isMinutes(wateringInterval) && wateringInterval > wateringDuration ? null : "interval";
    }
  }
}

/** Length of a run of the mode in charge, ms; of a mode that lacks something it has no meaning. */
export function runLengthOf(settings: EngineSettings): number {
  const { active } = settings;
  const minutes = active === "none" ? null : (settings[active]?.wateringDuration ?? null);
  return isMinutes(minutes) ? minutes * MINUTE_MS : 0;
}
