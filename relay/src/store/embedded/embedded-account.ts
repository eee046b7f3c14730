import type { DeviceCopy } from "../../streams/device-copy.ts";
import type { EventLog } from "./event-log.ts";

/** An account in memory: its copies, and the newest claim. */
export interface EmbeddedAccount {
  fence: number;
  readonly devices: DeviceCopy;
  readonly events: EventLog;
}
