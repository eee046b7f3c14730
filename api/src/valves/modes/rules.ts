import {
  MAX_INTERVAL_MINUTES,
  MAX_MINUTES,
  type PeriodBody,
  type ReservationBody,
  type TriggerBody,
} from "@mulkko/shared/rest/watering";
import { isRepeatOn } from "@mulkko/shared/rules/valve";
import { refuse } from "../../http/api-error.ts";

/** Stored settings of the modes. Bounds are %, times minutes; null is not set. */
export interface Automatic {
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly wateringDuration: number | null;
}
export interface Reservation {
  readonly wateringDuration: number | null;
  /** HH:mm in the account's time zone. */
  readonly onTime: string | null;
  readonly repeat: boolean;
}
export interface Period {
  readonly wateringDuration: number | null;
  /** From start to start. */
  readonly wateringInterval: number | null;
  readonly repeat: boolean;
}

type Faults = Readonly<Record<string, string | null>>;

const percentFault = (name: string, value: number | null): string | null =>
  value === null || (value >= 0 && value <= 100) ? null : `${name} must be from 0 to 100 %`;

const minutesFault = (name: string, value: number | null, most = MAX_MINUTES): string | null =>
  value === null || (Number.isInteger(value) && value >= 1 && value <= most)
    ? null
    : `${name} must be from 1 to ${most} minutes`;

const timeFault = (value: string | null): string | null =>
  value === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? null : "the time must be HH:mm";

const required = (value: number | null, fault: string | null): string | null =>
  value === null ? "run time is required" : fault;

/** Return the faults of each field of a setting, which may be incomplete. */
export const automaticFaults = ({ lowerBound, upperBound, wateringDuration }: Automatic): Faults => ({
  lowerBound:
    percentFault("minimum moisture", lowerBound) ??
    (lowerBound !== null && upperBound !== null && lowerBound >= upperBound
      ? "minimum moisture must be below maximum moisture"
      : null),
  upperBound: percentFault("maximum moisture", upperBound),
  wateringDuration: minutesFault("run time", wateringDuration),
});

export const reservationFaults = ({ wateringDuration, onTime }: Reservation): Faults => ({
  wateringDuration: minutesFault("run time", wateringDuration),
  onTime: timeFault(onTime),
});

export const periodFaults = ({ wateringDuration, wateringInterval }: Period): Faults => ({
  wateringDuration: minutesFault("run time", wateringDuration),
  wateringInterval: minutesFault("interval", wateringInterval, MAX_INTERVAL_MINUTES),
});

/** @throws FieldsError for each broken rule */
export function automaticOf({
  lowerBound = null,
  upperBound = null,
  wateringDuration = null,
}: TriggerBody): Automatic {
  const setting = { lowerBound, upperBound, wateringDuration };
  const faults = automaticFaults(setting);
  refuse({
    ...faults,
    lowerBound:
      lowerBound === null && upperBound === null
        ? "one of minimum or maximum moisture is required"
        : (faults.lowerBound ?? null),
    wateringDuration: required(wateringDuration, faults.wateringDuration ?? null),
  });
  return setting;
}

/** @throws FieldsError for each broken rule */
export function reservationOf(body: ReservationBody): Reservation {
  const wateringDuration = body.offDelayMinutes ?? body.wateringDuration ?? null;
  const setting = { wateringDuration, onTime: body.onTime || null, repeat: isRepeatOn(body.repeat) };
  const { wateringDuration: fault = null, ...others } = reservationFaults(setting);
  refuse({ ...others, offDelayMinutes: required(wateringDuration, fault) });
  return setting;
}

/** @throws FieldsError for each broken rule */
export function periodOf(body: PeriodBody): Period {
  const { wateringDuration = null, wateringInterval = null } = body;
  const setting = { wateringDuration, wateringInterval, repeat: isRepeatOn(body.repeat) };
  const faults = periodFaults(setting);
  refuse({ ...faults, wateringDuration: required(wateringDuration, faults.wateringDuration ?? null) });
  return setting;
}
