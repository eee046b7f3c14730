import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { buildAlarm } from "./build-alarm.ts";

/** Build an urgent alarm of another account for tests: a valve that is open beyond its end. */
export function buildFleetAlarm(change: Partial<FleetAlarmValue> = {}): FleetAlarmValue {
  return {
    ...buildAlarm({ key: "channel:11", type: "open-too-long", name: "토마토 베드", number: 1 }),
    priority: 1,
    account: "a1",
    username: "kim",
    farm: { id: 1, name: "춘천 농장" },
    valve: {
      controllerId: "c1",
      channelId: "11",
      number: 1,
      onoff: 1,
      runUntil: "2026-11-22T02:57:00.000Z",
    },
    ...change,
  };
}

/** Return alarms by their keys in the `fleet` stream. */
export const fleetAlarmState = (...alarms: readonly FleetAlarmValue[]) =>
  Object.fromEntries(alarms.map((alarm) => [`alarm:${alarm.account}:${alarm.id}`, alarm]));
