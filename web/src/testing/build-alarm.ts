import type { Alarm } from "@mulkko/shared/live/alarm";

/** Build an alarm for tests: a silent sensor, raised at noon in Seoul. */
export function buildAlarm(change: Partial<Alarm> = {}): Alarm {
  return {
    id: "alarm-1",
    key: "sensor:10000000-0000-4000-8000-000000000001",
    type: "offline",
    priority: 3,
    count: 1,
    active: true,
    raisedAt: "2026-11-22T03:00:00Z",
    clearedAt: null,
    ack: null,
    snooze: null,
    ...change,
  };
}
