import type { DeviceCopy } from "../../streams/device-copy.ts";
import type { EventLog } from "./event-log.ts";

/** An account in memory: its copies, and the newest claim. */
export interface EmbeddedAccount {
  fence: number;
  readonly devices: DeviceCopy;
  readonly events: EventLog;
  /** When each poll unit was claimed last. In memory: the only node asks anew after a restart. */
  readonly claims: Map<string, number>;
}
