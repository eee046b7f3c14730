import { type Static, Type } from "typebox";
import { MAX_RUN_SECONDS } from "../rules/valve.ts";
import { MAX_VALVE_NAME } from "../rules/valve-name.ts";
import { TextRecord } from "../schema/text-record.ts";

const IdText = Type.String({ minLength: 1, maxLength: 128 });
const SHORTEST_SECONDS = 60;
const run = { minimum: SHORTEST_SECONDS, maximum: MAX_RUN_SECONDS };
const RunSeconds = Type.Integer(run);
// One schema with two types, not a union of two: a validator that coerces would turn a null into 0.
const RunSecondsOrNone = Type.Unsafe<number | null>({ type: ["integer", "null"], ...run });

// One line that shows something.
const name = { minLength: 1, maxLength: MAX_VALVE_NAME, pattern: "^.*\\S.*$" };

/** Body of `PUT /relay/controllers/{id}`, of a controller or COT sensor; null takes back what was set. */
export const ControllerSettingsBody = Type.Object({
  /** Seconds that no manual opening may exceed (RUN-1); null: 7,200, which is also the most. */
  maxRunSeconds: RunSecondsOrNone,
});
export type ControllerSettingsBody = Static<typeof ControllerSettingsBody>;

/** Body of `PUT /relay/channels/{id}`: what is left out stays as it is, null takes back what was set. */
export const ChannelSettingsBody = Type.Object(
  {
    /** NAME-1: what the valve is called; null: after its sensors or its controller. */
    name: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], ...name })),
    /** Seconds of an opening that comes without (RUN-1); null: 600. */
    defaultRunSeconds: Type.Optional(RunSecondsOrNone),
    /** WAT-1: the WATERFLOW sensor whose litres are the channel's; null: none. */
    flowSensorId: Type.Optional(
      Type.Unsafe<string | null>({ type: ["string", "null"], minLength: 1, maxLength: 128 }),
    ),
  },
  { minProperties: 1 },
);
export type ChannelSettingsBody = Static<typeof ChannelSettingsBody>;

/** Body of `PUT /relay/settings`: what is no valve's own. */
export const AccountSettingsBody = Type.Object({
  /** RUN-3: the relay closes what somebody opened at the controller, at the hard cap. */
  adoptExternal: Type.Boolean(),
});
export type AccountSettingsBody = Static<typeof AccountSettingsBody>;

/** What the relay keeps for an account; the answer of `/relay/settings`, and of every change. */
export const AccountSettings = Type.Object({
  ...AccountSettingsBody.properties,
  /** By the id of a controller or COT sensor; what is not named holds its default. */
  controllers: TextRecord(Type.Object({ maxRunSeconds: RunSeconds }), { maxProperties: 1_000 }),
  /** By the channel's id (of a COT sensor `sensorId:number`); what is not named holds its default. */
  channels: TextRecord(
    Type.Object({
      name: Type.Optional(Type.String(name)),
      defaultRunSeconds: Type.Optional(RunSeconds),
      flowSensorId: Type.Optional(IdText),
    }),
    { maxProperties: 4_000 },
  ),
});
export type AccountSettings = Static<typeof AccountSettings>;

/** What holds where nobody has set anything. */
export const DEFAULT_SETTINGS: AccountSettings = { adoptExternal: false, controllers: {}, channels: {} };
