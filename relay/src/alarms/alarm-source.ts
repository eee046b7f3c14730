import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Condition } from "../core/alarm.ts";
import type { StateValue } from "../ports/streams.ts";
import type { Timers } from "../ports/timers.ts";
import type { AccountWriter } from "../ports/writer.ts";

/** How a source says what is wrong, and that it is over. All calls are synchronous. */
export interface AlarmSink {
  /** A trigger: an alarm that is active already counts one more. */
  raise(key: string, type: AlarmType, condition: Condition): void;
  /** The condition is so, for as long as it is not cleared. */
  hold(key: string, type: AlarmType, condition: Condition): void;
  clear(key: string, type: AlarmType): void;
  /** Something that happened, of which nobody can see when it is over. */
  note(key: string, type: AlarmType, condition: Condition): void;
  /** It became part of another alarm. */
  withdraw(key: string, type: AlarmType): void;
  /** The alarm while it is active. */
  active(key: string, type: AlarmType): Alarm | undefined;
}

/** One kind of things that can go wrong, watched where everything of the account passes: at its writer. */
export interface AlarmSource {
  /** A key has changed; `fields` are those that did, undefined where the whole value is new or gone. */
  changed?(key: string, fields: StateValue | undefined): void;
  event?(event: LiveEvent): void;
  /** The stored alarms are there: what was known before the restart is taken up. */
  restored?(alarms: readonly Alarm[]): void;
  close?(): void;
}

/** What sources are made of. */
export interface SourceParts {
  readonly sink: AlarmSink;
  readonly writer: Pick<AccountWriter, "get" | "keys">;
  readonly clock: Clock;
  readonly timers: Timers;
}
