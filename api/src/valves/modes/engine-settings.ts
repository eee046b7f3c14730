import { MAX_INTERVAL_MINUTES, MAX_MINUTES } from "@mulkko/shared/rest/watering";
import { isZoneName } from "@mulkko/shared/rules/calendar";
import type { ActiveMode } from "@mulkko/shared/rules/valve";
import type { Automatic, Period, Reservation } from "./rules.ts";

export const MINUTE_MS = 60_000;

/** A mode with settings. */
export type Mode = Exclude<ActiveMode, "none">;

/** Watering settings of a channel. Times are minutes, bounds percent. */
export interface EngineSettings {
  /** The active mode. */
  readonly active: ActiveMode;
  /** Number of activations of a mode, so that a repeated command has no effect. */
  readonly revision: number;
  /** IANA name of the zone of `onTime`. */
  readonly timezone: string;
  readonly automatic: Automatic | null;
  readonly reservation: Reservation | null;
  readonly period: Period | null;
  /** True if a sensor of the channel measures moisture. */
  readonly hasMoisture: boolean;
}

/** Reason for which the active mode cannot run; reported as `incomplete`. */
export type Missing = "setting" | "duration" | "bounds" | "sensor" | "time" | "interval";

export const NO_SETTINGS: EngineSettings = {
  active: "none",
  revision: 0,
  timezone: "UTC",
  automatic: null,
  reservation: null,
  period: null,
  hasMoisture: false,
};

const isMinutes = (value: number | null, most = MAX_MINUTES): value is number =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= most;

function missingOfAutomatic(setting: Automatic, hasMoisture: boolean): Missing | null {
  const { lowerBound, upperBound, wateringDuration } = setting;
  if (!isMinutes(wateringDuration)) return "duration";
  if (lowerBound === null && upperBound === null) return "bounds";
  if (lowerBound !== null && upperBound !== null && lowerBound >= upperBound) return "bounds";
  return hasMoisture ? null : "sensor";
}

/** Return what the active mode lacks; null where it can run, or where none is active. */
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
      return reservation.onTime !== null && isZoneName(settings.timezone) ? null : "time";
    case "period": {
      if (!period) return "setting";
      const { wateringDuration, wateringInterval } = period;
      if (!isMinutes(wateringDuration)) return "duration";
      // From start to start: an interval not longer than the run would never close the valve.
      const isLonger =
        isMinutes(wateringInterval, MAX_INTERVAL_MINUTES) && wateringInterval > wateringDuration;
      return isLonger ? null : "interval";
    }
  }
}

/** Return the length of a run of the active mode, ms; it has no meaning for an incomplete mode. */
export function runLengthOf(settings: EngineSettings): number {
  const { active } = settings;
  const minutes = active === "none" ? null : (settings[active]?.wateringDuration ?? null);
  return isMinutes(minutes) ? minutes * MINUTE_MS : 0;
}
