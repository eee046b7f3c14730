import type { Actor, CommandState } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import type { CommandRecord } from "@mulkko/shared/rest/command";
import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import type { ChannelReport } from "./channel-report.ts";

/** A valve command as it comes in, checked. Times are ms UTC. */
export interface CommandRequest {
  readonly commandId: string;
  readonly controllerId: string;
  /** Channel number, 1 to 8. */
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  readonly target: ValveTarget | null;
  readonly maxRunSeconds: number | undefined;
  /** The earliest moment at which it can have been pressed (CMD-10); left out: now. */
  readonly pressedAt?: number;
  /** The sender has closed the connection and no longer waits (CMD-11). */
  readonly callerGone?: true;
  readonly by: Actor;
  /** Token of the person who pressed (CRED-2). */
  readonly token: string;
  /** The relay itself wants it, without a person's token: it goes with the account's own credential (CRED-1). */
  readonly byRelay?: true;
  /** When that token ends, ms UTC (CRED-1: a run may not outlast it where nobody else can close). */
  readonly tokenEndsAt?: number;
  /** `controller/cmd` or the legacy `sensor/cmd`. */
  readonly form: "controller" | "sensor";
  /** ms within which the caller has to hear how far it has come (CMD-7); left out: the desk's own bound. */
  readonly answerWithinMs?: number;
  /** From where it came, for the log: a screen or the API. */
  readonly origin: string;
  readonly traceId: string;
}

/** A wish to close all channels of a farm (RUN-5); `farmId` null is every channel of the account. */
export interface CloseAllRequest
  extends Pick<CommandRequest, "by" | "token" | "origin" | "traceId" | "answerWithinMs"> {
  /** The same job twice closes once (CMD-7). */
  readonly jobId: string;
  readonly farmId: string | null;
}

/** How far one channel of a close-all has come. */
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
  | { ok: true; jobId: string; channels: ClosedChannel[] }
  | Extract<CommandOutcome, { ok: false }>;

/** What of the command log is asked for; times are ms UTC. */
export interface CommandLogQuery {
  readonly from: number;
  readonly to: number;
  readonly channelId?: string;
  readonly farmId?: string;
}

/** A watering and the channel that it ran through. */
export interface ChannelWatering {
  readonly channelKey: string;
  readonly watering: Watering;
}

/** What people ask of an account's valves, on whatever node they are. */
export interface CommandDesk {
  /** Stores the intent, acts, and answers within 5 s with the state reached (CMD-7). */
  command(request: CommandRequest): Promise<CommandOutcome>;
  /**
   * Takes an opening back (CMD-12): if it comes later it is refused, if it is the channel's intent the valve is closed,
   * and otherwise nothing happens. Answers within 5 s with what became of the opening; the request is the opening's own.
   */
  withdraw(opening: CommandRequest): Promise<CommandOutcome>;
  /** Closes every channel of a farm in one step, and answers within 5 s with how far each has come (RUN-5). */
  closeAll(request: CloseAllRequest): Promise<CloseAllOutcome>;
  /** The commands of the last 24 h, newest first (CMD-9); null for a farm that the account does not have. */
  commands(query: CommandLogQuery): Promise<LoggedCommand[] | null>;
  /**
   * The waterings that began at `since` (ms UTC) or later, and those that run; the store keeps them for seven days
   * and gives back at most 1,000, the newest. Rejects with a `StoreUnavailableError`.
   */
  waterings(since: number): Promise<ChannelWatering[]>;
}

/** One command of the log, as `GET /relay/commands` gives it. */
export type LoggedCommand = import("@mulkko/shared/rest/command").LoggedCommand;

export type CommandOutcome =
  | { ok: true; record: CommandRecord }
  | {
      ok: false;
      status: 404 | 409 | 422 | 429 | 503;
      code: ErrorCode;
      message: string;
    };
