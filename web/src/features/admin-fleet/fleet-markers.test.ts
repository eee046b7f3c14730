import type { Quality } from "@mulkko/shared/rules/quality";
import { expect, it } from "vitest";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { groupOf } from "../../domain/map/shown-marks.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { fleetMarkers } from "./fleet-markers.ts";

const entriesOf = (keys: Iterable<string>): BoardEntry[] => [...keys].map((key) => ({ kind: "device", key }));

it("[fleet] marks the board's placed devices on the map and shows the worst alarm of a cluster", () => {
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
  // An identical value returns an identical marker, so the map renders nothing.
  expect(fleetMarkers(entriesOf(devices.keys()), devices).markers[0]).toBe(first);
});

it("[WARN-3] marks a device by its urgent alarm, however fresh it is, and its cluster by the worst one", () => {
  const devices = fleetOfDevices({
    running: { kind: "controller", alarm: 1 },
    box: { alarm: 2 },
    low: { battery: 3 },
  });
  const { markers } = fleetMarkers(entriesOf(devices.keys()), devices);
  expect(markers.map(({ alarm }) => alarm)).toEqual([1, 2, 3]);
  const [first, ...others] = markers.toReversed();
  if (!first) throw new Error("nothing is marked");
  expect(groupOf([first, ...others]).alarm).toBe(1);
});

it("[ONL-2] shows no marker as fresh over a lost link, and each in its own quality once the link is back", () => {
  const devices = fleetOfDevices({ a: {} });
  const mark = (link: Quality) => fleetMarkers(entriesOf(devices.keys()), devices, link).markers[0];
  const before = mark("fresh");
  expect(mark("unknown")).toMatchObject({ fresh: false });
  expect(mark("unknown")).toBe(mark("late"));
  expect(mark("fresh")).toBe(before);
});
