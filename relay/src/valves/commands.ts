import type { Actor, CommandState } from "@mulkko/shared/live/devices";
import type { AdministratorClose } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import type { CommandRecord } from "@mulkko/shared/rest/command";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { ChannelReport } from "../account/channel-report.ts";
import type { ProvenAccount } from "../upstream/tokens.ts";

/** A received and validated valve command. Times are ms UTC. */
export interface CommandRequest {
  readonly commandId: string;
  readonly controllerId: string;
  /** Channel number, 1 to 8. */
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  readonly target: ValveTarget | null;
  readonly maxRunSeconds: number | undefined;
  /** The earliest time at which the user can have given it (CMD-10); absent: now. */
  readonly pressedAt?: number;
  /** The sender has closed the connection and no longer waits (CMD-11). */
  readonly callerGone?: true;
  readonly by: Actor;
  /** Token of the user who gave the command (CRED-2). */
  readonly token: string;
  /** A command of the relay itself, without a user's token: it uses the account's own credential (CRED-1). */
  readonly byRelay?: true;
  /**
   * A close by an administrator in another account (CMD-21): it uses the account's own credential, and then
   * the administrator's token.
   */
  readonly administrator?: AdministratorClose;
  /** The close of a withdrawn opening (CMD-12); made at the owner, never sent. */
  readonly withdrawal?: true;
  /** End of that token, ms UTC (CRED-1: a run may not outlast it if no other credential can close). */
  readonly tokenEndsAt?: number;
  /** `controller/cmd` or the legacy `sensor/cmd`. */
  readonly form: "controller" | "sensor";
  /** ms within which the caller needs an answer (CMD-7); absent: the service's own limit. */
  readonly answerWithinMs?: number;
  /** Origin for the log: a screen or the API. */
  readonly origin: string;
  readonly traceId: string;
}

/** A request to close all channels of a farm (RUN-5); `farmId` null is every channel of the account. */
export interface CloseAllRequest
  extends Pick<CommandRequest, "by" | "token" | "origin" | "traceId" | "answerWithinMs"> {
  /** The earliest time at which the user can have given it (CMD-17); absent: now. */
  readonly pressedAt?: number;
  /** A repeated job id closes only once (CMD-7). */
  readonly jobId: string;
  readonly farmId: string | null;
}

/** Progress of one channel in a close-all. */
export interface ClosedChannel {
  readonly channelId: string;
  readonly controllerId: string;
  readonly number: number;
  readonly commandId: string;
  readonly state: CommandState;
  readonly reason: string | null;
  /** A mode that may open the channel again. */
  readonly activeMode: ChannelReport["activeMode"];
}

export type CloseAllOutcome =
  /** `kept: false`: each close was sent once, and the relay does not repeat it (NODE-3). */
  | { ok: true; jobId: string; channels: ClosedChannel[]; kept?: false }
  | Extract<CommandOutcome, { ok: false }>;

/** Filter of a command log query; times are ms UTC. */
export interface CommandLogQuery {
  readonly from: number;
  readonly to: number;
  readonly channelId?: string;
  readonly farmId?: string;
}

/** A watering and its channel. */
export interface ChannelWatering {
  readonly channelKey: string;
  readonly watering: Watering;
}

/** Waterings, and since when the account is watched without a gap (WAT-4): ms UTC, null where that is not known. */
export interface KnownWaterings {
  readonly waterings: readonly ChannelWatering[];
  readonly watchedSince: number | null;
}

/** The valves of an account, for users, on whatever node the owner is. */
export interface CommandService {
  /** Store the intent, act, and answer within 5 s with the state reached (CMD-7). */
  command(request: CommandRequest): Promise<CommandOutcome>;
  /**
   * Withdraw an opening (CMD-12) and answer within 5 s with its outcome. An opening that arrives later is
   * refused. If it is the channel's intent, the valve is closed. The request is the opening's own.
   */
  withdraw(opening: CommandRequest): Promise<CommandOutcome>;
  /** Close every channel of a farm in one step, and answer within 5 s with the progress of each (RUN-5). */
  closeAll(request: CloseAllRequest): Promise<CloseAllOutcome>;
  /**
   * Return the commands of the last 24 h, newest first (CMD-9); null for a farm that the account does not
   * have.
   */
  commands(query: CommandLogQuery): Promise<LoggedCommand[] | null>;
  /**
   * Return running waterings and those that began at `since` (ms UTC) or later. The store keeps them for
   * seven days and returns at most the newest 1,000. Rejects with a `StoreUnavailableError`.
   */
  waterings(since: number): Promise<KnownWaterings>;
}

/** One command of the log, as returned by `GET /relay/commands`. */
export type LoggedCommand = import("@mulkko/shared/rest/command").LoggedCommand;

export type CommandOutcome =
  | { ok: true; record: CommandRecord }
  | {
      ok: false;
      status: 404 | 409 | 422 | 429 | 503;
      code: ErrorCode;
      message: string;
    };

/** The valve services of all accounts. */
export interface ValveServices {
  /** Return the account's valve service; without a token it is read-only. */
  service(proven: Pick<ProvenAccount, "accountId">, token: string | undefined): Promise<CommandService>;
}
