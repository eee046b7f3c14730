import type { AccountWriter, ChannelReads, Log, RunLimits, Timers, ValveUpstream } from "../ports.ts";
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
  /** Looks whether the wall clock was set, and tells every channel. */
  readonly noticeJump: () => void;
}
