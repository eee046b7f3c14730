import { type Static, Type } from "typebox";
import { DeviceLink } from "../rules/quality.ts";
import { isRepeatOn, modesSwitchedOn, type ValveCode, valveCode } from "../rules/valve.ts";
import { Serial } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { parse } from "../schema/parse.ts";
import { ModeLack, type Modes } from "./modes.ts";

const Flag = Type.Optional(Nullable(Type.Union([Type.Integer(), Type.Boolean(), Type.String()])));
const Amount = Type.Optional(Nullable(Type.Union([Type.Number(), Type.String()])));

/**
 * Report of a channel as `GET …/refresh` returns it. Flags are 1 = active; durations are minutes. A foreign
 * API may send numbers as text.
 */
export const ControllerState = Type.Object({
  serial: Type.Optional(Nullable(Serial)),
  onoff: Flag,
  automatic: Flag,
  automaticHighMoisture: Amount,
  automaticLowMoisture: Amount,
  automaticWatering: Amount,
  period: Flag,
  periodRepeat: Flag,
  periodTime: Amount,
  periodWatering: Amount,
  /** Extension: UTC instant from which the active period counts: its last due start, or its activation. */
  periodFrom: Type.Optional(Nullable(Type.String())),
  reservation: Flag,
  reservationRepeat: Flag,
  /** HH:mm */
  reservationTime: Type.Optional(Nullable(Type.String())),
  reservationWatering: Amount,
  /** Extension: when the device last reported, API time. */
  createdDate: Type.Optional(Nullable(Type.String())),
  rssi: Type.Optional(Nullable(Type.Number())),
  fwversion: Type.Optional(Nullable(Type.Union([Type.String(), Type.Number()]))),
  /** Extension: revision number of the mode change that the three flags belong to, as counted by the API. */
  modeRevision: Type.Optional(Nullable(Type.Integer())),
  /** Extension: the missing part of the mode in charge, which does not run. */
  incomplete: Type.Optional(Nullable(Type.String())),
  /**
   * Extension: `none` where the valve itself sets no end to an opening at its own button or after a lost
   * close.
   */
  limit: Type.Optional(Nullable(Type.Union([Type.Literal("valve"), Type.Literal("none")]))),
  /** Extension: UTC instant at which the device closes by itself. */
  runUntil: Type.Optional(Nullable(Type.String())),
  /** Extension: the last command that the device executed. */
  commandId: Type.Optional(Nullable(Type.String())),
  /**
   * Extension: number of the report in the order of arrival, which only rises. Of two reports the higher one is
   * newer, whatever their times (ORD-1).
   */
  arrival: Type.Optional(Nullable(Type.Integer())),
  /** Extension: since when the device's clock has been wrong, so that the time is the arrival (ORD-2). */
  clockWrongSince: Type.Optional(Nullable(Type.String())),
  /** Extension: `lost` when the device's last will is newer than its last message. */
  link: Type.Optional(Nullable(DeviceLink)),
  /**
   * Extension: true for a report of before the device's connection was last lost, or of before the broker ended: the
   * valve may have been turned since (LINK-3).
   */
  beforeLoss: Type.Optional(Nullable(Type.Boolean())),
});
export type ControllerState = Static<typeof ControllerState>;

const amount = (raw: unknown): number | null => {
  if (raw === null || raw === undefined || raw === "") return null;
  const number = Number(raw);
  return Number.isFinite(number) ? number : null;
};
const flag = (raw: unknown): number => (isRepeatOn(raw) ? 1 : 0);

/** Return the valve code in a report. */
export function onoffOf(state: ControllerState): ValveCode {
  return valveCode(state.onoff);
}

/** Return the missing part of the mode. A part without a translation is dropped: it cannot be shown. */
function incompleteOf({ incomplete }: ControllerState): Pick<Modes, "incomplete"> {
  const lack = parse(ModeLack, incomplete);
  return lack.ok ? { incomplete: lack.value } : {};
}

/** Return the time from which a period counts, where it is reported in a readable form. */
function countsFrom({ periodFrom }: ControllerState): { countsFrom?: string } {
  const from = parse(Instant, periodFrom);
  return from.ok ? { countsFrom: from.value } : {};
}

/**
 * Return the three mode settings and the mode in charge from a report. A mode without a watering time is not
 * set.
 */
export function modesOf(state: ControllerState): Modes {
  const automatic = amount(state.automaticWatering);
  const reservation = amount(state.reservationWatering);
  const period = amount(state.periodWatering);
  const [active = "none", ...alsoOn] = modesSwitchedOn({
    automatic: flag(state.automatic),
    period: flag(state.period),
    reservation: flag(state.reservation),
  });
  return {
    active,
    ...(alsoOn.length > 0 && { alsoOn }),
    automatic:
      automatic === null
        ? null
        : {
            lowerBound: amount(state.automaticLowMoisture),
            upperBound: amount(state.automaticHighMoisture),
            wateringDuration: automatic,
          },
    reservation:
      reservation === null
        ? null
        : {
            onTime: state.reservationTime ?? null,
            wateringDuration: reservation,
            repeat: isRepeatOn(state.reservationRepeat),
          },
    period:
      period === null
        ? null
        : {
            wateringInterval: amount(state.periodTime),
            wateringDuration: period,
            repeat: isRepeatOn(state.periodRepeat),
            ...countsFrom(state),
          },
    ...incompleteOf(state),
  };
}
