import type { Extension } from "@mulkko/shared/rest/capabilities";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { ChannelReport } from "./channel-report.ts";
import type { CommandDesk } from "./commands.ts";
import type { ValveStore } from "./durable.ts";
import type { Log } from "./log.ts";
import type { Timers } from "./timers.ts";
import type { AccountWriter } from "./writer.ts";

/** Everything about valves of one account: intents, commands, run ends, waterings (CMD-*, RUN-*). */
export interface ValveDesk extends CommandDesk {
  /** A report of a channel; called by the sources after the channel's key is written. */
  report(channelKey: string, report: ChannelReport): void;
  /** The controller was heard, whatever it said (CMD-4). */
  heard(controllerId: string): void;
  /** The channel is gone from the account's lists: what is still wanted of it ends without an alarm. */
  gone(channelKey: string): void;
  /** True while an intent, a command or a watering is open: the account's owner stays at work. */
  readonly busy?: boolean;
  close(): void;
}

/** A command as it leaves for the farm API. */
export interface OutgoingCommand {
  readonly commandId: string;
  readonly form: "controller" | "sensor";
  /** The controller's id (or the COT sensor's), and the channel's number. */
  readonly controllerId: string;
  readonly number: number;
  readonly command: string;
  readonly payload: number | string;
  /** Seconds that remain; sent only where the API has `timed-run`. */
  readonly maxRunSeconds?: number;
  /** Of an opening: when a device begins to ignore it (CMD-4), ms UTC; sent beside `maxRunSeconds`. */
  readonly expiresAt?: number;
  /** Token of the person who pressed (CRED-2); without it the account's own credential (closes, CRED-1). */
  readonly token?: string;
  readonly traceId: string;
}

/**
 * What became of a sent command. `accepted`: 2xx. `refused`: 4xx, it was not executed. `not-sent`: certainly not
 * executed, may be tried again. `unknown`: may have been executed (time-out, cut connection, 5xx).
 */
export type SendResult =
  | {
      kind: "accepted";
      commandId: string | null;
      /** The API's clock minus the store's by its `Date` header, ms; left out where that is under 2 s or unknown. */
      offsetMs?: number;
    }
  /** `code` is, of a farm API without codes, what it says to people. */
  | { kind: "refused"; status: number; code: string; message: string }
  | { kind: "not-sent" | "unknown"; message: string };

/** The farm API as the valves see it. Never rejects; never repeats by itself. */
export interface ValveUpstream {
  send(command: OutgoingCommand): Promise<SendResult>;
  /** True if the API announces the extension (`timed-run`, `idempotent-cmd`, …). */
  has(extension: Extension): boolean;
  /** True if the relay has, or can make, a session of its own that closes the account's valves (CRED-1). */
  readonly ownSession: boolean;
}

/** Asking for a channel's state; what comes goes through `ValveDesk.report`. */
export interface ChannelReads {
  /** The channel's poll unit comes due in `inMs`, or earlier if it does anyway (POLL-6). */
  due(channelKey: string, inMs: number): void;
}

/** How long manual openings may run (RUN-1); by the controller's or COT sensor's id. */
export interface RunLimits {
  capSeconds(controllerId: string): number;
  /** Of an opening that comes without a run time. */
  defaultSeconds(controllerId: string, channelId: string): number;
}

/** Everything that a valve desk is made of. */
export interface ValveDeskParts {
  readonly accountId: string;
  readonly writer: AccountWriter;
  readonly store: ValveStore;
  readonly upstream: ValveUpstream;
  readonly reads: ChannelReads;
  /** What the account has set; left out: 10 minutes, and at most 120. */
  readonly runs?: RunLimits;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** The WATERFLOW sensor that is linked to a channel (WAT-1); left out: none is. */
  readonly flowSensorOf?: (channelId: string) => string | null;
  /** A channel's moisture at a past moment (ms UTC) by its logs, null where they do not say. */
  readonly pastMoisture?: (channelKey: string, at: number) => Promise<number | null>;
}

/** Makes the valve desk of an account: loads its intents and starts their timers (RUN-3). */
export type CreateValveDesk = (parts: ValveDeskParts) => Promise<ValveDesk>;
