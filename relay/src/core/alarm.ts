import type {
  Acknowledgement,
  Alarm,
  AlarmDetail,
  AlarmPriority,
  AlarmType,
} from "@mulkko/shared/live/alarm";

/** What is wrong, as a source sees it. */
export interface Condition {
  readonly priority: AlarmPriority;
  readonly detail?: AlarmDetail;
  /** Of an outage: the devices that it stands for (ALM-4). */
  readonly devices?: number;
}

/** ms UTC as on the wire. */
const iso = (at: number): string => new Date(at).toISOString();

/** A first alarm about a thing. @param at ms UTC */
export function raised(
  place: { id: string; key: string; type: AlarmType },
  condition: Condition,
  at: number,
): Alarm {
  const { priority, detail, devices } = condition;
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
  };
}

/**
 * The same alarm as the condition is now. What becomes more urgent has to be seen again: its acknowledgement and
 * its snooze end (ALM-3: P1 cannot be snoozed).
 */
export function adjusted(alarm: Alarm, { priority, detail, devices }: Condition): Alarm {
  const urgent = priority < alarm.priority;
  return {
    ...alarm,
    priority,
    ...(devices !== undefined && { count: Math.max(1, devices) }),
    ...(detail && { detail }),
    ...(urgent && { ack: null, snooze: null }),
  };
}

/** The same alarm triggered once more: it is updated, not doubled (ALM-2). */
export function raisedAgain(alarm: Alarm, condition: Condition, at: number): Alarm {
  const again = adjusted(alarm, condition);
  return {
    ...again,
    count: condition.devices === undefined ? alarm.count + 1 : again.count,
    active: true,
    raisedAt: alarm.active ? alarm.raisedAt : iso(at),
    clearedAt: null,
  };
}

/** Recovered: a snooze ends by itself (ALM-3). */
export function cleared(alarm: Alarm, at: number): Alarm {
  return { ...alarm, active: false, clearedAt: iso(at), snooze: null };
}

export function acknowledged(alarm: Alarm, ack: Acknowledgement): Alarm {
  return { ...alarm, ack };
}

/** True once it is of the past: cleared and acknowledged. */
export function isOver(alarm: Alarm): boolean {
  return !alarm.active && alarm.ack !== null;
}

/** ms UTC at which its snooze ends; null: it is not put off. */
export function snoozeEnd(alarm: Alarm): number | null {
  return alarm.snooze === null ? null : Date.parse(alarm.snooze.until);
}

/** Order of a list of present alarms: active first, then by priority, then the newest first. */
export function byUrgency(a: Alarm, b: Alarm): number {
  if (a.active !== b.active) return a.active ? -1 : 1;
  return a.priority - b.priority || Date.parse(b.raisedAt) - Date.parse(a.raisedAt);
}
