import { Actor, CommandState } from "@mulkko/shared/live/devices";
import { AdministratorClose, NotKept } from "@mulkko/shared/live/events";
import { Watering } from "@mulkko/shared/live/watering";
import { CommandRecord, LoggedCommand } from "@mulkko/shared/rest/command";
import { ERROR_CODES } from "@mulkko/shared/rest/errors";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import type { ProvenAccount } from "../access/token-prover.ts";
import { ANSWER_WITHIN_MS, type MethodsOf, type OwnerCalls } from "../runtime/owner-call.ts";

const callerFields = {
  by: Actor,
  /** Token of the user who gave the command (CRED-2). */
  token: Type.String(),
  /** Origin for the log: a screen or the API. */
  origin: Type.String(),
  traceId: Type.String(),
  /** ms within which the caller needs an answer (CMD-7); absent: the service's own limit. */
  answerWithinMs: Type.Optional(Type.Number()),
};

/** A received and validated valve command. Times are ms UTC. */
const Command = Type.Object({
  ...callerFields,
  commandId: Type.String(),
  controllerId: Type.String(),
  /** Channel number, 1 to 8. */
  number: Type.Integer(),
  command: Type.String(),
  payload: Type.Union([Type.Number(), Type.String()]),
  target: Nullable(Type.Union([Type.Literal(1), Type.Literal(2)])),
  maxRunSeconds: Type.Optional(Type.Number()),
  /** The earliest time at which the user can have given it (CMD-10); absent: now. */
  pressedAt: Type.Optional(Type.Number()),
  /** The sender has closed the connection and no longer waits (CMD-11). */
  callerGone: Type.Optional(Type.Literal(true)),
  /** End of that token, ms UTC (CRED-1: a run may not outlast it if no other credential can close). */
  tokenEndsAt: Type.Optional(Type.Number()),
  /**
   * A close by an administrator in another account (CMD-21): it uses the account's own credential, and then the
   * administrator's token. Ignored by a relay before CMD-21, which sends the close with the token alone.
   */
  administrator: Type.Optional(AdministratorClose),
  /** `controller/cmd` or the legacy `sensor/cmd`. */
  form: Type.Union([Type.Literal("controller"), Type.Literal("sensor")]),
});

/** A valve command at its owner. */
export interface CommandRequest extends Static<typeof Command> {
  /** A command of the relay itself, without a user's token: it uses the account's own credential (CRED-1). */
  readonly byRelay?: true;
  /** The close of a withdrawn opening (CMD-12); made at the owner, never sent. */
  readonly withdrawal?: true;
}

/** A request to close all channels of a farm (RUN-5). */
const CloseAll = Type.Object({
  ...callerFields,
  /** A repeated job id closes only once (CMD-7). */
  jobId: Type.String(),
  /** Null: every channel of the account. */
  farmId: Nullable(Type.String()),
  /** The earliest time at which the user can have given it (CMD-17), ms UTC; absent: now. */
  pressedAt: Type.Optional(Type.Number()),
});
export type CloseAllRequest = Static<typeof CloseAll>;

/** Filter of a command log query; times are ms UTC. */
const CommandLogQuery = Type.Object({
  from: Type.Number(),
  /** Absent: up to now. */
  to: Type.Optional(Type.Number()),
  channelId: Type.Optional(Type.String()),
  farmId: Type.Optional(Type.String()),
});
export type CommandLogQuery = Static<typeof CommandLogQuery>;

const Refused = Type.Object({
  ok: Type.Literal(false),
  status: Type.Union([
    Type.Literal(404),
    Type.Literal(409),
    Type.Literal(422),
    Type.Literal(429),
    Type.Literal(503),
  ]),
  code: Type.Enum([...ERROR_CODES]),
  message: Type.String(),
});

const CommandOutcome = Type.Union([Type.Object({ ok: Type.Literal(true), record: CommandRecord }), Refused]);
export type CommandOutcome = Static<typeof CommandOutcome>;

/** Progress of one channel in a close-all. */
const ClosedChannel = Type.Object({
  channelId: Type.String(),
  controllerId: Type.String(),
  number: Type.Integer(),
  commandId: Type.String(),
  state: CommandState,
  reason: Nullable(Type.String()),
  /** A mode that may open the channel again. */
  activeMode: Type.Union([
    Type.Literal("none"),
    Type.Literal("automatic"),
    Type.Literal("period"),
    Type.Literal("reservation"),
  ]),
});
export type ClosedChannel = Static<typeof ClosedChannel>;

const CloseAllOutcome = Type.Union([
  Type.Object({
    ok: Type.Literal(true),
    jobId: Type.String(),
    channels: Type.Array(ClosedChannel),
    /** False if one of the closes is not stored (CMD-8). */
    kept: NotKept,
  }),
  Refused,
]);
export type CloseAllOutcome = Static<typeof CloseAllOutcome>;

/** A watering and its channel. */
const ChannelWatering = Type.Object({ channelKey: Type.String(), watering: Watering });
export type ChannelWatering = Static<typeof ChannelWatering>;

/** Waterings, and since when the account is watched without a gap (WAT-4): ms UTC, null where that is not known. */
const KnownWaterings = Type.Object({
  waterings: Type.Array(ChannelWatering),
  watchedSince: Nullable(Type.Number()),
});
type KnownWaterings = Static<typeof KnownWaterings>;

/** The valves of an account, for users, on whatever node the owner is. */
export const VALVE_CALLS = {
  /** Store the intent, act, and answer within 5 s with the state reached (CMD-7). */
  command: {
    wire: "command",
    request: Command,
    reply: CommandOutcome,
    withinMs: ANSWER_WITHIN_MS,
    secret: ["token"],
  },
  /**
   * Withdraw an opening (CMD-12) and answer within 5 s with its outcome. An opening that arrives later is refused. If
   * it is the channel's intent, the valve is closed. The request is the opening's own.
   */
  withdraw: {
    wire: "withdraw",
    request: Command,
    reply: CommandOutcome,
    withinMs: ANSWER_WITHIN_MS,
    secret: ["token"],
  },
  /** Close every channel of a farm in one step, and answer within 5 s with the progress of each (RUN-5). */
  closeAll: {
    wire: "close-all",
    request: CloseAll,
    reply: CloseAllOutcome,
    withinMs: ANSWER_WITHIN_MS,
    secret: ["token"],
  },
  /** Return the commands of the last 24 h, newest first (CMD-9); null for a farm that the account does not have. */
  commands: {
    wire: "commands",
    request: CommandLogQuery,
    reply: Nullable(Type.Array(LoggedCommand)),
    withinMs: ANSWER_WITHIN_MS,
  },
  /**
   * Return running waterings and those that began at `since` (ms UTC) or later. The store keeps them for seven days and
   * returns at most the newest 1,000. Rejects with a `StoreUnavailableError`.
   */
  waterings: {
    wire: "waterings",
    request: Type.Object({ since: Type.Number() }),
    reply: KnownWaterings,
    withinMs: ANSWER_WITHIN_MS,
    earlier: {
      since: { watchedSince: true },
      reply: Type.Array(ChannelWatering),
      write: ({ waterings }: KnownWaterings) => waterings,
      read: (waterings: ChannelWatering[]): KnownWaterings => ({ waterings, watchedSince: null }),
    },
  },
} as const satisfies OwnerCalls;

export type CommandService = MethodsOf<typeof VALVE_CALLS>;

/** The valve services of all accounts. */
export interface ValveServices {
  /** Return the account's valve service; without a token it is read-only. */
  service(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<CommandService>;
}
