import { type Static, Type } from "typebox";
import { LONGEST_RUN_SECONDS } from "../rules/valve.ts";
import { MAX_VALVE_NAME } from "../rules/valve-name.ts";
import { TextRecord } from "../schema/text-record.ts";

const IdText = Type.String({ minLength: 1, maxLength: 128 });
const SHORTEST_SECONDS = 60;
const run = { minimum: SHORTEST_SECONDS, maximum: LONGEST_RUN_SECONDS };
const RunSeconds = Type.Integer(run);
// One schema with two types, not a union of two: a validator that coerces would turn a null into 0.
const RunSecondsOrNone = Type.Unsafe<number | null>({ type: ["integer", "null"], ...run });

/** Largest flow of a valve that may be set, L/min. */
export const MAX_LARGEST_FLOW = 10_000;
const largestFlow = { exclusiveMinimum: 0, maximum: MAX_LARGEST_FLOW };

// One line with a visible character.
const name = { minLength: 1, maxLength: MAX_VALVE_NAME, pattern: "^.*\\S.*$" };

/** Body of `PUT /relay/controllers/{id}`, of a controller or COT sensor; null resets a value. */
export const ControllerSettingsBody = Type.Object({
  /** Maximum seconds of a manual opening (RUN-1); null: 7,200. */
  maxRunSeconds: RunSecondsOrNone,
});
export type ControllerSettingsBody = Static<typeof ControllerSettingsBody>;

/** Body of `PUT /relay/channels/{id}`: an absent field stays, null resets a value. */
export const ChannelSettingsBody = Type.Object(
  {
    /** NAME-1: name of the valve; null: named after its sensors or its controller. */
    name: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], ...name })),
    /** Seconds of an opening without a run time (RUN-1); null: 600. */
    defaultRunSeconds: Type.Optional(RunSecondsOrNone),
    /** WAT-1: the WATERFLOW sensor that measures the channel's litres; null: none. */
    flowSensorId: Type.Optional(
      Type.Unsafe<string | null>({ type: ["string", "null"], minLength: 1, maxLength: 128 }),
    ),
    /** WAT-5: the largest flow of the channel, L/min; null: not known. */
    largestFlow: Type.Optional(Type.Unsafe<number | null>({ type: ["number", "null"], ...largestFlow })),
  },
  { minProperties: 1 },
);
export type ChannelSettingsBody = Static<typeof ChannelSettingsBody>;

/** Body of `PUT /relay/settings`: settings of the whole account. */
export const AccountSettingsBody = Type.Object({
  /** RUN-3: the relay closes an opening at the controller when it reaches the hard cap. */
  adoptExternal: Type.Boolean(),
});
export type AccountSettingsBody = Static<typeof AccountSettingsBody>;

/** The relay's settings of an account; the answer of `/relay/settings`, and of every change. */
export const AccountSettings = Type.Object({
  ...AccountSettingsBody.properties,
  /** By the id of a controller or COT sensor; without an entry the default applies. */
  controllers: TextRecord(Type.Object({ maxRunSeconds: RunSeconds }), { maxProperties: 1_000 }),
  /** By the channel's id (of a COT sensor `sensorId:number`); without an entry the default applies. */
  channels: TextRecord(
    Type.Object({
      name: Type.Optional(Type.String(name)),
      defaultRunSeconds: Type.Optional(RunSeconds),
      flowSensorId: Type.Optional(IdText),
      largestFlow: Type.Optional(Type.Number(largestFlow)),
    }),
    { maxProperties: 4_000 },
  ),
});
export type AccountSettings = Static<typeof AccountSettings>;

/** Default settings. */
export const DEFAULT_SETTINGS: AccountSettings = { adoptExternal: false, controllers: {}, channels: {} };
