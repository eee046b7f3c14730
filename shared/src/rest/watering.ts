import { type Static, Type } from "typebox";
import { WateringMode } from "../entities/modes.ts";
import { ModeName } from "../mqtt/device-messages.ts";
import { FormInteger, FormNumber, formText } from "../schema/form.ts";
import { Nullable } from "../schema/nullable.ts";

/** Maximum watering of a mode, minutes. */
export const MAX_MINUTES = 1_440;
/** Maximum interval of a period, minutes: 30 days. */
export const MAX_INTERVAL_MINUTES = 43_200;

const id = Type.Integer();
const Minutes = Nullable(Type.Integer());
/** `true`, or 1 on; 2 and 0 off. */
const Repeat = Type.Optional(Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: 2 })]));
/** Extension `mode-enable`: `false` saves without a change of the mode in charge. */
const active = Type.Optional(Type.Boolean());

/** The automatic mode as read: bounds in %. */
export const TriggerSetting = Type.Object({
  id,
  lowerBound: Nullable(Type.Number()),
  upperBound: Nullable(Type.Number()),
  wateringDuration: Minutes,
});
export type TriggerSetting = Static<typeof TriggerSetting>;

/** The automatic mode as sent. */
export const TriggerBody = Type.Object({
  lowerBound: Type.Optional(FormNumber),
  upperBound: Type.Optional(FormNumber),
  wateringDuration: Type.Optional(FormInteger),
  active,
});
export type TriggerBody = Static<typeof TriggerBody>;

/** The reservation as read; `onTime` is HH:mm. */
export const ReservationSetting = Type.Object({
  id,
  wateringDuration: Minutes,
  onTime: Nullable(Type.String()),
  repeat: Type.Boolean(),
});
export type ReservationSetting = Static<typeof ReservationSetting>;

/**
 * The reservation as sent. The watering time has another name here; the name of the read form is accepted
 * too.
 */
export const ReservationBody = Type.Object({
  offDelayMinutes: Type.Optional(FormInteger),
  wateringDuration: Type.Optional(FormInteger),
  onTime: Type.Optional(formText(16)),
  repeat: Repeat,
  active,
});
export type ReservationBody = Static<typeof ReservationBody>;

/** The period as read. */
export const PeriodSetting = Type.Object({
  id,
  wateringDuration: Minutes,
  wateringInterval: Minutes,
  repeat: Type.Boolean(),
});
export type PeriodSetting = Static<typeof PeriodSetting>;

/** The period as sent. */
export const PeriodBody = Type.Object({
  wateringDuration: Type.Optional(FormInteger),
  wateringInterval: Type.Optional(FormInteger),
  repeat: Repeat,
  active,
});
export type PeriodBody = Static<typeof PeriodBody>;

/** Body of `PUT …/channel/{channelId}/mode` (extension `mode-enable`). */
export const ModeBody = Type.Object({
  active: ModeName,
  /** Change nothing unless this mode is in charge: a switch-off that waited must not end another mode (CMD-16). */
  insteadOf: Type.Optional(WateringMode),
});
export type ModeBody = Static<typeof ModeBody>;

/** Answer of it: the mode in charge. */
export const ModeAnswer = Type.Object({ active: ModeName });
export type ModeAnswer = Static<typeof ModeAnswer>;
