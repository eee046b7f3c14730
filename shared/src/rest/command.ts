import { type Static, Type } from "typebox";
import { CommandState } from "../live/devices.ts";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";

/** Body of `POST /api/v1/controller/cmd`. `channel` is the channel's number, `uuid` the controller's id. */
export const CommandBody = Type.Object({
  uuid: Id,
  command: Type.String({ minLength: 1, maxLength: 64 }),
  deviceType: Type.Optional(Type.String()),
  channel: Type.Union([Type.Integer({ minimum: 1, maximum: 8 }), Type.String({ pattern: "^[1-8]$" })]),
  payload: Type.Union([Type.Integer(), Type.String({ maxLength: 64 })]),
  /** Extension `timed-run`: seconds after which the valve closes by itself. */
  maxRunSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  /** Extension `timed-run`: when an opening has lost its point, on the API's clock; from then on it is refused. */
  expiresAt: Type.Optional(Instant),
});
export type CommandBody = Static<typeof CommandBody>;

/** Answer of the farm API: handed to the broker, nothing more. A foreign API may answer nothing. */
export const CommandAnswer = Type.Object({ commandId: Type.Optional(Type.String()) });

/** Answer of the relay: the stored command and how far it has come. */
export const CommandRecord = Type.Object({
  commandId: Type.String(),
  state: CommandState,
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  until: Nullable(Instant),
  reason: Type.Optional(Type.String()),
});
export type CommandRecord = Static<typeof CommandRecord>;
