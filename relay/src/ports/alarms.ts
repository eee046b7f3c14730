import type { Alarm } from "@mulkko/shared/live/alarm";
import type { Actor } from "@mulkko/shared/live/devices";

/** Why an alarm is not answered as a person asks. */
export type AlarmRefusal = "unknown" | "not-active" | "most-urgent" | "bad-end" | "nothing-open";

export type AlarmAnswer = { ok: true; alarm: Alarm } | { ok: false; why: AlarmRefusal };

/** The alarms of one account, for people (ALM-2, ALM-3). Answers come once they are kept, or wait for the store. */
export interface AlarmDesk {
  /** Active or unacknowledged, the most urgent first. */
  present(): Promise<Alarm[]>;
  /** Cleared and acknowledged, the newest first. */
  past(): Promise<Alarm[]>;
  acknowledge(id: string, by: Actor, comment: string | null): Promise<AlarmAnswer>;
  /** @param until ms UTC */
  snooze(id: string, by: Actor, until: number, reason: string): Promise<AlarmAnswer>;
  unsnooze(id: string, by: Actor): Promise<AlarmAnswer>;
  /** RUN-3: what somebody opened at the controller is closed by the relay in so many minutes. */
  closeIn(id: string, by: Actor, minutes: number): Promise<AlarmAnswer>;
}
