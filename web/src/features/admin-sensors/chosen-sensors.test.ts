import { describe, expect, it } from "vitest";
import type { OwnedSensor } from "../../api/admin-sensors.ts";
import { type ChosenRows, everyOf } from "../../domain/admin-list/chosen-rows.ts";
import { sshAlone } from "./chosen-sensors.ts";

type Chosen = ChosenRows<OwnedSensor>;

const sensor = (id: string, deviceType = "SMS"): OwnedSensor => ({ id, deviceType, serial: 1 });
const NONE: Chosen = new Map();
/** Click the checkboxes of these sensors one after the other. */
const press = (chosen: Chosen, ...sensors: OwnedSensor[]): Chosen =>
  sensors.reduce((before, each) => {
    const keys = new Set(before.keys());
    if (!keys.delete(`${each.id}`)) keys.add(`${each.id}`);
    return sshAlone(before, keys, [each]);
  }, chosen);
const ids = (chosen: Chosen) => [...chosen.keys()];

describe("selected sensors", () => {
  it("[spec 1] selects a sensor with one click and deselects it with another", () => {
    expect(ids(press(NONE, sensor("a"), sensor("b")))).toEqual(["a", "b"]);
    expect(ids(press(NONE, sensor("a"), sensor("b"), sensor("a")))).toEqual(["b"]);
  });

  it("[spec 1] selects an SSH sensor alone, and clears it when another type is selected", () => {
    const some = press(NONE, sensor("a"), sensor("b"));
    const alone = press(some, sensor("s", "SSH"));
    expect(ids(alone)).toEqual(["s"]);
    expect(ids(press(alone, sensor("t", "SSH")))).toEqual(["t"]);
    expect(ids(press(alone, sensor("c", "AT")))).toEqual(["c"]);
    expect(ids(press(alone, sensor("s", "SSH")))).toEqual([]);
  });

  it("[spec 1] selects every row regardless of its type", () => {
    const every = everyOf([sensor("a"), sensor("s", "SSH"), sensor("t", "SSH")]);
    expect(ids(every)).toEqual(["a", "s", "t"]);
    expect(ids(press(every, sensor("a")))).toEqual(["s", "t"]);
    expect(ids(press(every, sensor("b")))).toEqual(["a", "b"]);
  });

  it("[admin] keeps the selection if no checkbox changed", () => {
    const some = press(NONE, sensor("a"));
    expect(sshAlone(some, new Set(["a"]), [sensor("a")])).toBe(some);
    expect(sshAlone(some, new Set(["a", "gone"]), [sensor("a")])).toBe(some);
  });
});
