import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";

/** Build a sensor of some account with a recent message. */
export const buildFleetDevice = (change: Partial<FleetDeviceValue> = {}): FleetDeviceValue => ({
  id: "d1",
  kind: "sensor",
  account: "a1",
  username: "kim",
  name: "House 1",
  deviceType: "SMS",
  serial: 100_001,
  latitude: 36.1,
  longitude: 127.1,
  quality: "fresh",
  link: null,
  since: "2026-11-22T00:00:00Z",
  flip: null,
  battery: 80,
  rssi: -80,
  fwversion: "1.2",
  heardAt: "2026-11-22T00:00:00Z",
  ...change,
});

/** Build devices by their keys, each named after its key unless given. */
export const fleetOfDevices = (
  devices: Readonly<Record<string, Partial<FleetDeviceValue>>>,
): Map<string, FleetDeviceValue> =>
  new Map(
    Object.entries(devices).map(([id, change]) => [
      `device:${id}`,
      buildFleetDevice({ id, name: id, ...change }),
    ]),
  );
