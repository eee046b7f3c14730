import type { Timers } from "@mulkko/shared/rules/clock";
import type { AccountWriter } from "../account/writer.ts";
import type { Log } from "../runtime/log.ts";
import type { ValveUpstream } from "../upstream/outgoing-command.ts";
import type { DurableWriter } from "./durable-writer.ts";
import type { StoreTime } from "./store-time.ts";
import type { ChannelReads, RunLimits } from "./valves.ts";
import type { WateringRegistry } from "./waterings/watering-registry.ts";

/** Dependencies that the channels of one service share. */
export interface ChannelTools {
  readonly writer: AccountWriter;
  readonly durable: DurableWriter;
  readonly upstream: ValveUpstream;
  readonly reads: ChannelReads;
  readonly runs: RunLimits;
  readonly timers: Timers;
  readonly time: StoreTime;
  readonly log: Log;
  readonly waterings: WateringRegistry;
  readonly newId: () => string;
  /** True for an opening that its sender withdrew during the lifetime of this service (CMD-12). */
  readonly isWithdrawn: (commandId: string) => boolean;
  /** False for a time ahead of the farm API's clock (ONL-6). */
  readonly isPossible: (at: number) => boolean;
  /** Check for a jump of the wall clock, and pass it to every channel. */
  readonly noticeJump: () => void;
}
