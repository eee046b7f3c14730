import { type Static, Type } from "typebox";
import { Actor, CommandState } from "../live/devices.ts";
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

/**
 * Body of a command as the relay takes it: the farm API's own, and when the person pressed (CMD-10). The farm API never
 * sees the press: the relay judges it.
 */
export const PressBody = Type.Object({
  ...CommandBody.properties,
  /** When the person pressed, by the sender's estimate of the server's clock. Left out: when the request arrived. */
  pressedAt: Type.Optional(Instant),
  /** How far that estimate may be ahead of the server's clock, ms. */
  pressedWithinMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
});
export type PressBody = Static<typeof PressBody>;

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

const ModeName = Type.Union([
  Type.Literal("none"),
  Type.Literal("automatic"),
  Type.Literal("period"),
  Type.Literal("reservation"),
]);

/** Answer of `POST /relay/farms/{id}/close-all` (RUN-5): how far each channel has come within 5 s. */
export const CloseAllAnswer = Type.Object({
  jobId: Type.String(),
  channels: Type.Array(
    Type.Object({
      channelId: Type.String(),
      controllerId: Id,
      number: Type.Integer(),
      commandId: Type.String(),
      state: CommandState,
      reason: Nullable(Type.String()),
      /** A mode that may open the channel again. */
      activeMode: ModeName,
    }),
  ),
});
export type CloseAllAnswer = Static<typeof CloseAllAnswer>;

/** One command of the log (CMD-9): who, from where, and when each state was reached. */
export const LoggedCommand = Type.Object({
  id: Type.String(),
  command: Type.String(),
  controllerId: Id,
  channelId: Type.String(),
  number: Type.Integer(),
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  state: CommandState,
  reason: Nullable(Type.String()),
  by: Actor,
  /** `screen`, `api`, or `relay` for what the relay does by itself. */
  origin: Type.String(),
  traceId: Type.String(),
  at: Instant,
  /** End of the run that an opening asked for. */
  until: Nullable(Instant),
  steps: Type.Array(Type.Object({ state: CommandState, at: Instant })),
});
export type LoggedCommand = Static<typeof LoggedCommand>;

/** Query of `GET /relay/commands`: a farm or a channel or neither, and a time within the last 24 h. */
export const CommandsQuery = Type.Object({
  farm: Type.Optional(Type.String({ maxLength: 64 })),
  channel: Type.Optional(Type.String({ maxLength: 80 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});
export type CommandsQuery = Static<typeof CommandsQuery>;

/** Answer of `GET /relay/commands`, newest first, at most 1,000. */
export const CommandsAnswer = Type.Object({ commands: Type.Array(LoggedCommand) });
export type CommandsAnswer = Static<typeof CommandsAnswer>;
