import { type Static, Type } from "typebox";
import { Actor, CommandState } from "../live/devices.ts";
import { AdministratorClose, NotKept } from "../live/events.ts";
import { LONGEST_RUN_SECONDS } from "../rules/valve.ts";
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
  maxRunSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_RUN_SECONDS })),
  /** Extension `timed-run`: expiry of an opening, on the API's clock; from then on it is refused. */
  expiresAt: Type.Optional(Instant),
});
export type CommandBody = Static<typeof CommandBody>;

/**
 * Body of a command to the relay: the farm API's own, and the time of the press (CMD-10). The relay judges
 * the press and does not pass it on.
 */
export const CommandTimeBody = Type.Object({
  ...CommandBody.properties,
  /** Time of the press by the sender's estimate of the server's clock. Absent: the arrival of the request. */
  pressedAt: Type.Optional(Instant),
  /** How far that estimate may be ahead of the server's clock, ms. */
  pressedWithinMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
});
export type CommandTimeBody = Static<typeof CommandTimeBody>;

/**
 * Headers of a call that saves a mode or puts it in charge: the time of the press and how far it may be ahead
 * (CMD-10). The body belongs to the farm API; the relay judges the headers and does not pass them on.
 */
export const PRESS_HEADERS = { at: "x-pressed-at", withinMs: "x-pressed-within-ms" } as const;

/**
 * Header that names the account in which a command was pressed. The relay refuses the call with
 * `other-account` for any other account's token: a command that waited is never carried out for another user.
 */
export const FOR_ACCOUNT = "x-for-account";

/** Return true for a command that clears a mode and therefore opens nothing. */
export const isReset = (command: string): boolean => command.endsWith("/reset");

/**
 * Answer of the farm API: accepted by the broker, nothing more. A foreign API may answer with an empty body.
 */
export const CommandAnswer = Type.Object({ commandId: Type.Optional(Type.String()) });

/**
 * Body of `POST /relay/fleet/close` (CMD-21): an administrator closes one valve of any account. There is no
 * target in it: this call cannot open. The header `Idempotency-Key` is the command's id.
 */
export const FleetCloseBody = Type.Object(
  {
    accountId: Id,
    /** The controller, or the COT sensor. */
    controllerId: Id,
    /** A channel of it: `{channelId}`, or `{sensorId}:{number}`. */
    channelId: Type.String({ minLength: 1, maxLength: 80 }),
    /** Time of the press by the sender's estimate of the server's clock. A close is never too late. */
    pressedAt: Type.Optional(Instant),
    /** Written into the owner's activity and the audit log. */
    reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
  },
  { additionalProperties: false },
);
export type FleetCloseBody = Static<typeof FleetCloseBody>;

/** Answer of the relay: the command and its state. */
export const CommandRecord = Type.Object({
  commandId: Type.String(),
  state: CommandState,
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  until: Nullable(Instant),
  reason: Type.Optional(Type.String()),
  kept: NotKept,
});
export type CommandRecord = Static<typeof CommandRecord>;

const ModeName = Type.Union([
  Type.Literal("none"),
  Type.Literal("automatic"),
  Type.Literal("period"),
  Type.Literal("reservation"),
]);

/** Answer of `POST /relay/farms/{id}/close-all` (RUN-5): the state of each channel within 5 s. */
export const CloseAllAnswer = Type.Object({
  jobId: Type.String(),
  /** False if one of the closes is not stored. */
  kept: NotKept,
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

/** One command of the log (CMD-9): user, source, and the time of each state. */
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
  /** `screen`, `api`, or `relay` for the relay's own commands. */
  origin: Type.String(),
  traceId: Type.String(),
  at: Instant,
  /** End of the requested run. */
  until: Nullable(Instant),
  steps: Type.Array(Type.Object({ state: CommandState, at: Instant })),
  /** For a close by an administrator of another account (CMD-21). */
  administrator: Type.Optional(AdministratorClose),
});
export type LoggedCommand = Static<typeof LoggedCommand>;

/** Query of `GET /relay/commands`: a farm or a channel or neither, and a range within the last 24 h. */
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

/**
 * Header of an opening: ids of closes that were sent before it and have no answer, separated by commas. One that
 * arrives after the opening closes nothing (CMD-17).
 */
export const REPLACES_HEADER = "x-replaces";
