import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { ChannelReads, RunLimits, ValveUpstream } from "../ports/valves.ts";
import type { AccountWriter } from "../ports/writer.ts";
import type { DurableWriter } from "./durable-writer.ts";
import type { StoreTime } from "./store-time.ts";
import type { WateringBook } from "./watering-book.ts";

/** What the channels of one desk share. */
export interface DeskTools {
  readonly writer: AccountWriter;
  readonly durable: DurableWriter;
  readonly upstream: ValveUpstream;
  readonly reads: ChannelReads;
  readonly runs: RunLimits;
  readonly timers: Timers;
  readonly time: StoreTime;
  readonly log: Log;
  readonly waterings: WateringBook;
  readonly newId: () => string;
  /** True for an opening that its sender took back while this desk was at work (CMD-12). */
  readonly isWithdrawn: (commandId: string) => boolean;
  /** Looks whether the wall clock was set, and tells every channel. */
  readonly noticeJump: () => void;
}
