import {
  MAX_MINUTES,
  type PeriodBody,
  type ReservationBody,
  type TriggerBody,
} from "@mulkko/shared/rest/watering";
import { isRepeatOn } from "@mulkko/shared/rules/valve";
import { refuse } from "../../http/refuse.ts";

/** The modes' settings as they are stored. Bounds are %, times minutes; null is not set. */
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
  /** Start to start. */
  readonly wateringInterval: number | null;
  readonly repeat: boolean;
}

type Faults = Readonly<Record<string, string | null>>;

const percentFault = (name: string, value: number | null): string | null =>
  value === null || (value >= 0 && value <= 100) ? null : `${name} lies between 0 and 100 %`;

const minutesFault = (name: string, value: number | null): string | null =>
  value === null || (Number.isInteger(value) && value >= 1 && value <= MAX_MINUTES)
    ? null
    : `${name} lies between 1 and ${MAX_MINUTES} minutes`;

const timeFault = (value: string | null): string | null =>
  value === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? null : "the time must be HH:mm";

const required = (value: number | null, fault: string | null): string | null =>
  value === null ? "watering time is required" : fault;

/** What is wrong with each field of a setting, incomplete as it may be. */
export const automaticFaults = ({ lowerBound, upperBound, wateringDuration }: Automatic): Faults => ({
  lowerBound:
    percentFault("minimum moisture", lowerBound) ??
    (lowerBound !== null && upperBound !== null && lowerBound >= upperBound
      ? "minimum moisture must be below maximum moisture"
      : null),
  upperBound: percentFault("maximum moisture", upperBound),
  wateringDuration: minutesFault("watering time", wateringDuration),
});

export const reservationFaults = ({ wateringDuration, onTime }: Reservation): Faults => ({
  wateringDuration: minutesFault("watering time", wateringDuration),
  onTime: timeFault(onTime),
});

export const periodFaults = ({ wateringDuration, wateringInterval }: Period): Faults => ({
  wateringDuration: minutesFault("watering time", wateringDuration),
  wateringInterval: minutesFault("the interval", wateringInterval),
});

/** @throws FieldsError for each rule that is broken */
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

/** @throws FieldsError for each rule that is broken */
export function reservationOf(body: ReservationBody): Reservation {
  const wateringDuration = body.offDelayMinutes ?? body.wateringDuration ?? null;
  const setting = { wateringDuration, onTime: body.onTime || null, repeat: isRepeatOn(body.repeat) };
  const { wateringDuration: fault = null, ...others } = reservationFaults(setting);
  refuse({ ...others, offDelayMinutes: required(wateringDuration, fault) });
  return setting;
}

/** @throws FieldsError for each rule that is broken */
export function periodOf(body: PeriodBody): Period {
  const { wateringDuration = null, wateringInterval = null } = body;
  const setting = { wateringDuration, wateringInterval, repeat: isRepeatOn(body.repeat) };
  const faults = periodFaults(setting);
  refuse({ ...faults, wateringDuration: required(wateringDuration, faults.wateringDuration ?? null) });
  return setting;
}
