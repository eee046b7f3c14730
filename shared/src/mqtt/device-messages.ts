import { type Static, Type } from "typebox";
import { ControllerState } from "../entities/controller-state.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** `mulkko/{serial}/up`: the fields of the device's type beside these. */
export const UplinkMessage = Type.Object(
  {
    /** When it was measured; with an offset or `Z`. Where it is missing, the arrival counts. */
    at: Type.Optional(Type.String({ maxLength: 40 })),
    fwversion: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 32 }), Type.Number()]))),
    rssi: Type.Optional(Nullable(Type.Number())),
  },
  { additionalProperties: true },
);
export type UplinkMessage = Static<typeof UplinkMessage>;

/** `mulkko/{serial}/ch/{n}/state`: what a channel of a controller reports, retained. */
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
  /** An open that arrives after it is ignored; a close is always obeyed. */
  expiresAt: Instant,
});
export type OnOffCommand = Static<typeof OnOffCommand>;
