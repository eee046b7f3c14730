import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { ChannelReport } from "../account/channel-report.ts";
import type { AccountWriter } from "../account/writer.ts";
import type { Log } from "../runtime/log.ts";
import type { ValveStore } from "../store/durable.ts";
import type { ValveUpstream } from "../upstream/outgoing-command.ts";
import type { CommandService } from "./commands.ts";

/** Valves of one account: intents, commands, run ends, waterings (CMD-*, RUN-*). */
export interface ValveService extends CommandService {
  /** Apply a report of a channel, whose key is already written. */
  report(channelKey: string, report: ChannelReport): void;
  /** Record that the controller reported, with any content (CMD-4). */
  received(controllerId: string): void;
  /** Another token of the account is available: send a refused close again (CRED-1). */
  credentialLent(): void;
  /** Remove a channel that is gone from the account's lists; its intent ends without an alarm. */
  gone(channelKey: string): void;
  /** True while an intent, a command or a watering is open: the account's owner stays active. */
  readonly busy?: boolean;
  close(): void;
}

/** Requests reads of a channel's state; results arrive through `ValveService.report`. */
export interface ChannelReads {
  /** Make the channel's poll unit due in `inMs`, or earlier if it already is (POLL-6). */
  due(channelKey: string, inMs: number): void;
}

/** Maximum duration of manual openings (RUN-1), by the id of the controller or COT sensor. */
export interface RunLimits {
  capSeconds(controllerId: string): number;
  /** Return the run time of an opening that specifies none. */
  defaultSeconds(controllerId: string, channelId: string): number;
}

/** Dependencies of a valve service. */
export interface ValveServiceDeps {
  readonly accountId: string;
  readonly writer: AccountWriter;
  readonly store: ValveStore;
  readonly upstream: ValveUpstream;
  readonly reads: ChannelReads;
  /** Limits from the account's settings; absent: 10 minutes, and at most 120. */
  readonly runs?: RunLimits;
  readonly clock: Clock;
  /** The farm API's clock minus the relay's, ms; absent: 0. */
  readonly apiOffsetMs?: () => number;
  readonly timers: Timers;
  readonly log: Log;
  /** Return the WATERFLOW sensor linked to a channel (WAT-1); absent: none is linked. */
  readonly flowSensorOf?: (channelId: string) => string | null;
  /** Return a channel's moisture at a past time (ms UTC) from its logs; null if they do not contain it. */
  readonly pastMoisture?: (channelKey: string, at: number) => Promise<number | null>;
  /** Since when the account is watched without a gap, ms UTC (WAT-4); null or left out: not known. */
  readonly watchedSince?: () => number | null;
}

/** Create the valve service of an account: load its intents and start their timers (RUN-3). */
export type CreateValveService = (deps: ValveServiceDeps) => Promise<ValveService>;
