import type { Quality } from "@mulkko/shared/rules/quality";
import { expect, it } from "vitest";
import type { BoardEntry } from "../../fleet/board.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { groupOf } from "../../ui/map/clusters.ts";
import { fleetMarkers } from "./fleet-markers.ts";

const entriesOf = (keys: Iterable<string>): BoardEntry[] => [...keys].map((key) => ({ kind: "device", key }));

it("[fleet] what the board shows stands on the map where it is placed, and a cluster has its worst device's alarm", () => {
  const devices = fleetOfDevices({
    well: {},
    low: { battery: 3 },
    valves: { kind: "controller", deviceType: "CON04V", quality: "offline" },
    lost: { latitude: null },
  });
  const { markers, unplaced } = fleetMarkers(entriesOf(devices.keys()), devices);
  expect(markers.map(({ label, alarm, fresh, shape }) => [label, alarm, fresh, shape])).toEqual([
    ["well", null, true, "circle"],
    ["low", 3, true, "circle"],
    ["valves", 2, false, "bowtie"],
  ]);
  expect(unplaced).toBe(1);
  const [first, ...others] = markers;
  if (!first) throw new Error("nothing is marked");
  expect(groupOf([first, ...others]).alarm).toBe(2);
  // The same value is the same mark: the map has nothing to draw anew.
  expect(fleetMarkers(entriesOf(devices.keys()), devices).markers[0]).toBe(first);
});

it("[ONL-2] over a link that is away no mark is fresh, and each is its own again once the link is back", () => {
  const devices = fleetOfDevices({ a: {} });
  const mark = (link: Quality) => fleetMarkers(entriesOf(devices.keys()), devices, link).markers[0];
  const before = mark("fresh");
  expect(mark("unknown")).toMatchObject({ fresh: false });
  expect(mark("unknown")).toBe(mark("late"));
  expect(mark("fresh")).toBe(before);
});
