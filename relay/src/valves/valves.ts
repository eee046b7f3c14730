import type { MeterReading } from "@mulkko/shared/rules/meter";
import type { AccountState } from "../account/account-state.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import type { AccountWriter } from "../account/writer.ts";
import type { Log } from "../runtime/log.ts";
import type { Documents } from "../store/documents.ts";
import type { ValveUpstream } from "../upstream/outgoing-command.ts";
import type { CommandOutcome, CommandRequest, CommandService } from "./commands.ts";
import type { StoreTime } from "./store-time.ts";

/** Valves of one account: intents, commands, run ends, waterings (CMD-*, RUN-*). */
export interface ValveService extends CommandService {
  command(request: CommandRequest): Promise<CommandOutcome>;
  withdraw(opening: CommandRequest): Promise<CommandOutcome>;
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

/** Maximum duration of manual openings (RUN-1), by the id of the controller or COT sensor. */
export interface RunLimits {
  capSeconds(controllerId: string): number;
  /** Return the run time of an opening that specifies none. */
  defaultSeconds(controllerId: string, channelId: string): number;
}

/** Settings of an account that its valves follow. */
export interface ValveSettings {
  readonly runs: RunLimits;
  /** Return the WATERFLOW sensor linked to a channel (WAT-1), or null. */
  flowSensorOf(channelId: string): string | null;
  /** Return the largest flow of a channel by its owner, L/min (WAT-5), or null. */
  largestFlowOf(channelId: string): number | null;
}

/** The account's past, for its waterings. */
export interface WateringPast {
  /** Return a channel's moisture at a past time (ms UTC) from its logs; null if they do not contain it. */
  moistureOf(channelKey: string, at: number): Promise<number | null>;
  /** Return the readings of a flow meter in a range, ms UTC, from its log. */
  meterReadings(sensorId: string, from: number, to: number): Promise<MeterReading[]>;
  /** Return since when the account is watched without a gap, ms UTC (WAT-4); null: not known. */
  watchedSince(): number | null;
}

/** Dependencies of a valve service. */
export interface ValveServiceDeps {
  readonly state: ValveState;
  readonly store: Documents;
  readonly upstream: ValveUpstream;
  readonly settings: ValveSettings;
  readonly past: WateringPast;
  readonly time: StoreTime;
  readonly log: Log;
}

/** The account's values as its valves use them. A read of a channel is requested by `channelDue` (POLL-6). */
export type ValveState = AccountWriter & Pick<AccountState, "emit">;

/** Create the valve service of an account: load its intents and start their timers (RUN-3). */
export type CreateValveService = (deps: ValveServiceDeps) => Promise<ValveService>;
