import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import type { LiveEvent } from "@mulkko/shared/live/events";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountState } from "../account/account-state.ts";
import type { AccountValues } from "../account/farm-index.ts";
import type { StateValue } from "../store/streams.ts";
import type { RunLimits } from "../valves/valves.ts";
import type { Condition } from "./alarm.ts";

/** Receives the conditions of a source. All calls are synchronous. */
export interface AlarmSink {
  /** Raise an alarm. An active alarm counts one more occurrence. */
  raise(key: string, type: AlarmType, condition: Condition): void;
  /** Raise an alarm that lasts until it is cleared. */
  hold(key: string, type: AlarmType, condition: Condition): void;
  clear(key: string, type: AlarmType): void;
  /** Raise an alarm for an event whose end cannot be observed. */
  note(key: string, type: AlarmType, condition: Condition): void;
  /** Remove an alarm that became part of another. */
  withdraw(key: string, type: AlarmType): void;
  /** Return the alarm while it is active. */
  active(key: string, type: AlarmType): Alarm | undefined;
}

/** A source of one kind of alarm. It observes all writes of the account. */
export interface AlarmSource {
  /** Handle a changed key. `fields` are the changed ones; undefined if the whole value is new or removed. */
  changed?(key: string, fields: StateValue | undefined): void;
  event?(event: LiveEvent): void;
  /** Continue from the stored alarms after a restart. */
  restored?(alarms: readonly Alarm[]): void;
  close?(): void;
}

/** Dependencies of sources. */
export interface SourceDeps {
  readonly sink: AlarmSink;
  readonly state: Pick<AccountState, "get" | "keys" | "on" | "emit">;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Settings of an account that its alarms follow. */
export interface AlarmSettings {
  readonly runs: Pick<RunLimits, "capSeconds">;
  /** RUN-3: true if the relay closes external openings at the hard cap. */
  readonly adoptExternal: boolean;
}

/** The people that an account's alarms are for. */
export interface AlarmAudience {
  /** True while the account has viewers, or the relay watches it by itself. */
  readonly isAttended: boolean;
  /** True for an administrator's account, according to its displays. */
  readonly isAdministrator: boolean;
}

/** The valves of an account that were last reported open, and their controllers. */
export interface OpenValves {
  /**
   * Apply a change.
   * @returns the controller whose valve opened or closed, undefined if none did
   */
  changed(key: string, fields: StateValue | undefined): string | undefined;
  /** Return true while a valve of the controller is open. */
  on(deviceKey: string): boolean;
  /** Return the keys of the controller's open channels, in their order. */
  channelsOn(deviceKey: string): string[];
  readonly any: boolean;
}

export function createOpenValves(state: Pick<AccountValues, "get">): OpenValves {
  /** Channel key → its controller. */
  const open = new Map<string, string>();
  /** Running waterings, also known before a channel was read after a restart. */
  const running = new Set<string>();

  const channelChanged = (key: string): string | undefined => {
    const value = state.get(key);
    const known = open.get(key);
    // 0 means "unknown": the last report still counts.
    if (value?.onoff === 1) {
      const id = String(value.controllerId);
      const device = state.get(controllerKey(id)) ? controllerKey(id) : sensorKey(id);
      open.set(key, device);
      return known === device ? undefined : device;
    }
    if (known !== undefined && (value === undefined || value.onoff === 2)) {
      open.delete(key);
      return known;
    }
    return undefined;
  };
  return {
    changed(key, fields) {
      if (key.startsWith("watering:")) {
        const watering = state.get(key);
        if (watering !== undefined && watering.end === null) running.add(key);
        else running.delete(key);
      } else if (key.startsWith("channel:") && (fields === undefined || "onoff" in fields)) {
        return channelChanged(key);
      }
      return undefined;
    },
    on: (deviceKey) => [...open.values()].includes(deviceKey),
    channelsOn: (deviceKey) =>
      [...open].flatMap(([channel, device]) => (device === deviceKey ? [channel] : [])).sort(),
    get any() {
      return open.size > 0 || running.size > 0;
    },
  };
}
