import type { FleetDevice } from "@mulkko/shared/rest/sensor";
import { expect, it } from "vitest";
import { listedDevice } from "./fleet-list.ts";

const readTime = () => null;
const row: FleetDevice = {
  id: "s1",
  kind: "sensor",
  userId: "a1",
  username: "kim",
  name: "House 1",
  deviceType: "SMS",
  serial: 100_001,
  latestLog: null,
};

it("[fleet] places a device on the map where the farm API places it; 0 and null are no position", () => {
  expect(listedDevice({ ...row, latitude: 36.19, longitude: 127.1 }, readTime)).toMatchObject({
    latitude: 36.19,
    longitude: 127.1,
  });
  for (const nowhere of [{}, { latitude: 0, longitude: 0 }, { latitude: null, longitude: null }]) {
    expect(listedDevice({ ...row, ...nowhere }, readTime)).toMatchObject({ latitude: null, longitude: null });
  }
});
