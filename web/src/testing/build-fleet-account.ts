import type { FleetAccountValue } from "@mulkko/shared/live/fleet";

/** Build an account of the fleet whose devices are healthy. */
export const buildFleetAccount = (change: Partial<FleetAccountValue> = {}): FleetAccountValue => ({
  id: "a1",
  username: "kim",
  quality: "fresh",
  devices: 3,
  late: 0,
  offline: 0,
  unknown: 0,
  alarms: null,
  worstAlarm: null,
  watched: false,
  ...change,
});
