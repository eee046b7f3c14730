import { type Static, type TSchema, Type } from "typebox";
import { ControllerState } from "../entities/controller-state.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** `mulkko/{serial}/up`: the fields of the device's type beside these. */
export const UplinkMessage = Type.Object(
  {
    /**
     * Time of measurement: with an offset or `Z`, or seconds or milliseconds since 1970. Without it the
     * arrival counts.
     */
    at: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Number()])),
    fwversion: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 32 }), Type.Number()]))),
    rssi: Type.Optional(Nullable(Type.Number())),
  },
  { additionalProperties: true },
);
export type UplinkMessage = Static<typeof UplinkMessage>;

/** `mulkko/{serial}/ch/{n}/state`: report of a controller's channel, retained. */
export const ChannelStateMessage = Type.Intersect([
  ControllerState,
  Type.Object({
    at: Type.Optional(Instant),
    /** %, where the controller measures it itself. */
    moisture: Type.Optional(Nullable(Type.Number())),
  }),
]);
export type ChannelStateMessage = Static<typeof ChannelStateMessage>;

/** `mulkko/{serial}/ch/{n}/cmd/onoff`: never retained. */
export const OnOffCommand = Type.Object({
  state: Type.Union([Type.Literal(1), Type.Literal(2)]),
  maxRunSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
  commandId: Type.String({ minLength: 1, maxLength: 64 }),
  /** An open that arrives after it is ignored; a close is always executed. */
  expiresAt: Instant,
});
export type OnOffCommand = Static<typeof OnOffCommand>;

/**
 * `mulkko/{serial}/ch/{n}/cmd/report`: publish the channel's state now; never retained. It is sent where reports
 * contradict each other (ORD-5).
 */
export const ReportCommand = Type.Object({ at: Instant });
export type ReportCommand = Static<typeof ReportCommand>;

const Minutes = Nullable(Type.Integer({ minimum: 1, maximum: 1_440 }));
const IntervalMinutes = Nullable(Type.Integer({ minimum: 1, maximum: 43_200 }));
const Percent = Nullable(Type.Number({ minimum: 0, maximum: 100 }));

/** Fields of every command of a watering mode: null deletes the setting; `at` is the time of the command. */
const settingCommand = <S extends TSchema>(setting: S) =>
  Type.Object({ setting: Nullable(setting), at: Instant });

// The commands of the modes are never retained. They are sent at each save, and again whenever the device
// subscribes.
// The newest one replaces all others, and receiving it twice changes nothing. An incomplete mode
// is stored and does not run.

/** `mulkko/{serial}/ch/{n}/cmd/automatic`: moisture bounds in %, duration in minutes. */
export const AutomaticCommand = settingCommand(
  Type.Object({ lowerBound: Percent, upperBound: Percent, wateringDuration: Minutes }),
);
export type AutomaticCommand = Static<typeof AutomaticCommand>;

/** `mulkko/{serial}/ch/{n}/cmd/reservation`: a time of day in a zone, duration in minutes. */
export const ReservationCommand = settingCommand(
  Type.Object({
    /** HH:mm */
    onTime: Nullable(Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" })),
    /** IANA name of the zone of `onTime`. */
    timezone: Type.String(),
    wateringDuration: Minutes,
    repeat: Type.Boolean(),
  }),
);
export type ReservationCommand = Static<typeof ReservationCommand>;

/** `mulkko/{serial}/ch/{n}/cmd/period`: start to start and duration, minutes. */
export const PeriodCommand = settingCommand(
  Type.Object({ wateringInterval: IntervalMinutes, wateringDuration: Minutes, repeat: Type.Boolean() }),
);
export type PeriodCommand = Static<typeof PeriodCommand>;

/** A mode's name, or none. */
export const ModeName = Type.Union([
  Type.Literal("none"),
  Type.Literal("automatic"),
  Type.Literal("period"),
  Type.Literal("reservation"),
]);

/** `mulkko/{serial}/ch/{n}/cmd/mode`: the mode in charge from now on. */
export const ModeCommand = Type.Object({
  active: ModeName,
  /** Counts how often a mode was put in charge; the same number again is the same command. */
  revision: Type.Optional(Type.Integer({ minimum: 0 })),
  at: Instant,
});
export type ModeCommand = Static<typeof ModeCommand>;
