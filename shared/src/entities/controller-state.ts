import { type Static, Type } from "typebox";
import { ModeLack, type Modes } from "../live/devices.ts";
import { DeviceLink } from "../rules/quality.ts";
import { activeMode, isRepeatOn, type ValveCode, valveCode } from "../rules/valve.ts";
import { Serial } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";
import { parse } from "../schema/parse.ts";

const Flag = Type.Optional(Nullable(Type.Union([Type.Integer(), Type.Boolean(), Type.String()])));
const Amount = Type.Optional(Nullable(Type.Union([Type.Number(), Type.String()])));

/**
 * What a channel reports, as `GET …/refresh` gives it. Flags are 1 = active; durations are minutes. A foreign
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
  reservation: Flag,
  reservationRepeat: Flag,
  /** HH:mm */
  reservationTime: Type.Optional(Nullable(Type.String())),
  reservationWatering: Amount,
  /** Extension: when the device last reported, API time. */
  createdDate: Type.Optional(Nullable(Type.String())),
  rssi: Type.Optional(Nullable(Type.Number())),
  fwversion: Type.Optional(Nullable(Type.Union([Type.String(), Type.Number()]))),
  /** Extension: which putting in charge the three flags speak of, as the API numbers it. */
  modeRevision: Type.Optional(Nullable(Type.Integer())),
  /** Extension: what the mode in charge lacks; it does not run. */
  incomplete: Type.Optional(Nullable(Type.String())),
  /** Extension: `none` where the valve itself keeps no limit to an opening at its own button or by a lost close. */
  limit: Type.Optional(Nullable(Type.Union([Type.Literal("valve"), Type.Literal("none")]))),
  /** Extension: UTC instant at which the device closes by itself. */
  runUntil: Type.Optional(Nullable(Type.String())),
  /** Extension: the command that the device obeyed last. */
  commandId: Type.Optional(Nullable(Type.String())),
  /** Extension: `lost` when the device's last will is newer than its last message. */
  link: Type.Optional(Nullable(DeviceLink)),
});
export type ControllerState = Static<typeof ControllerState>;

const amount = (raw: unknown): number | null => {
  if (raw === null || raw === undefined || raw === "") return null;
  const number = Number(raw);
  return Number.isFinite(number) ? number : null;
};
const flag = (raw: unknown): number => (isRepeatOn(raw) ? 1 : 0);

/** The valve code in a report. */
export function onoffOf(state: ControllerState): ValveCode {
  return valveCode(state.onoff);
}

/** A lack that nobody here has a word for is none that can be told. */
function incompleteOf({ incomplete }: ControllerState): Pick<Modes, "incomplete"> {
  const lack = parse(ModeLack, incomplete);
  return lack.ok ? { incomplete: lack.value } : {};
}

/** The three mode settings and the mode in charge, out of a report. A mode without a watering time is not set. */
export function modesOf(state: ControllerState): Modes {
  const automatic = amount(state.automaticWatering);
  const reservation = amount(state.reservationWatering);
  const period = amount(state.periodWatering);
  return {
    active: activeMode({
      automatic: flag(state.automatic),
      period: flag(state.period),
      reservation: flag(state.reservation),
    }),
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
          },
    ...incompleteOf(state),
  };
}
