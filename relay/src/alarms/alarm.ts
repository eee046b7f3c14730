import type {
  Acknowledgement,
  Alarm,
  AlarmDetail,
  AlarmPriority,
  AlarmType,
  OpenValve,
} from "@mulkko/shared/live/alarm";
import type { AlarmName } from "../account/thing-name.ts";

/** The fault behind an alarm, as its source reports it. */
export interface Condition {
  readonly priority: AlarmPriority;
  readonly detail?: AlarmDetail;
  /** Number of devices that an outage covers (ALM-4). */
  readonly devices?: number;
  /** Valves that are open while no reports arrive from them. */
  readonly valves?: readonly OpenValve[];
}

/** Format ms UTC as in live messages. */
const iso = (at: number): string => new Date(at).toISOString();

/**
 * Create the first alarm of a subject.
 * @param at ms UTC
 */
export function raised(
  place: { id: string; key: string; type: AlarmType } & AlarmName,
  condition: Condition,
  at: number,
): Alarm {
  const { priority, detail, devices, valves } = condition;
  return {
    ...place,
    priority,
    count: Math.max(1, devices ?? 1),
    active: true,
    raisedAt: iso(at),
    clearedAt: null,
    ack: null,
    snooze: null,
    ...(detail && { detail }),
    ...(valves && { valves: [...valves] }),
  };
}

/**
 * Return the alarm updated to the present condition. A higher priority ends the acknowledgement and the
 * snooze (ALM-3: P1 cannot be snoozed).
 */
export function adjusted(alarm: Alarm, { priority, detail, devices, valves }: Condition): Alarm {
  const urgent = priority < alarm.priority;
  const { valves: _before, ...kept } = alarm;
  return {
    ...kept,
    priority,
    ...(devices !== undefined && { count: Math.max(1, devices) }),
    ...(detail && { detail }),
    ...(urgent && { ack: null, snooze: null }),
    ...(valves && { valves: [...valves] }),
  };
}

/** Return the alarm with one more trigger: an existing alarm is updated, not duplicated (ALM-2). */
export function raisedAgain(alarm: Alarm, condition: Condition, at: number, called: AlarmName = {}): Alarm {
  const again = adjusted(alarm, condition);
  return {
    ...again,
    ...called,
    count: condition.devices === undefined ? alarm.count + 1 : again.count,
    active: true,
    raisedAt: alarm.active ? alarm.raisedAt : iso(at),
    clearedAt: null,
  };
}

/** Return the alarm as recovered; a snooze ends with it (ALM-3). */
export function cleared(alarm: Alarm, at: number): Alarm {
  return { ...alarm, active: false, clearedAt: iso(at), snooze: null };
}

export function acknowledged(alarm: Alarm, ack: Acknowledgement): Alarm {
  return { ...alarm, ack };
}

/** True once the alarm is cleared and acknowledged. */
export function isOver(alarm: Alarm): boolean {
  return !alarm.active && alarm.ack !== null;
}

/** Return when the snooze ends, ms UTC; null when the alarm is not snoozed. */
export function snoozeEnd(alarm: Alarm): number | null {
  return alarm.snooze === null ? null : Date.parse(alarm.snooze.until);
}

/** Sort order of present alarms: active first, then by priority, then newest first. */
export function byUrgency(a: Alarm, b: Alarm): number {
  if (a.active !== b.active) return a.active ? -1 : 1;
  return a.priority - b.priority || Date.parse(b.raisedAt) - Date.parse(a.raisedAt);
}
