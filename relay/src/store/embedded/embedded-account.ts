import type { DeviceCopy } from "../streams/device-copy.ts";
import type { EventLog } from "./event-log.ts";

/** An account in memory: its copies, and the newest claim. */
export interface EmbeddedAccount {
  fence: number;
  readonly devices: DeviceCopy;
  readonly events: EventLog;
  /** The time of each poll unit's last claim. In memory: a single node polls again after a restart. */
  readonly claims: Map<string, number>;
}
