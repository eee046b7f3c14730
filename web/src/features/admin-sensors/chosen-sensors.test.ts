import { describe, expect, it } from "vitest";
import { type ChosenRows, everyOf } from "../../admin/chosen-rows.ts";
import type { OwnedSensor } from "../../rest/admin-sensors.ts";
import { sshAlone } from "./chosen-sensors.ts";

type Chosen = ChosenRows<OwnedSensor>;

const sensor = (id: string, deviceType = "SMS"): OwnedSensor => ({ id, deviceType, serial: 1 });
const NONE: Chosen = new Map();
/** Presses the boxes of these, one after the other. */
const press = (chosen: Chosen, ...sensors: OwnedSensor[]): Chosen =>
  sensors.reduce((before, each) => {
    const keys = new Set(before.keys());
    if (!keys.delete(`${each.id}`)) keys.add(`${each.id}`);
    return sshAlone(before, keys, [each]);
  }, chosen);
const ids = (chosen: Chosen) => [...chosen.keys()];

describe("chosen sensors", () => {
  it("[spec 1] a press takes a sensor in, another lets it go", () => {
    expect(ids(press(NONE, sensor("a"), sensor("b")))).toEqual(["a", "b"]);
    expect(ids(press(NONE, sensor("a"), sensor("b"), sensor("a")))).toEqual(["b"]);
  });

  it("[spec 1] an SSH sensor is chosen alone, and another type clears it", () => {
    const some = press(NONE, sensor("a"), sensor("b"));
    const alone = press(some, sensor("s", "SSH"));
    expect(ids(alone)).toEqual(["s"]);
    expect(ids(press(alone, sensor("t", "SSH")))).toEqual(["t"]);
    expect(ids(press(alone, sensor("c", "AT")))).toEqual(["c"]);
    expect(ids(press(alone, sensor("s", "SSH")))).toEqual([]);
  });

  it("[spec 1] every row is every row, whatever its type", () => {
    const every = everyOf([sensor("a"), sensor("s", "SSH"), sensor("t", "SSH")]);
    expect(ids(every)).toEqual(["a", "s", "t"]);
    expect(ids(press(every, sensor("a")))).toEqual(["s", "t"]);
    expect(ids(press(every, sensor("b")))).toEqual(["a", "b"]);
  });

  it("[admin] where no box differs the choice stays", () => {
    const some = press(NONE, sensor("a"));
    expect(sshAlone(some, new Set(["a"]), [sensor("a")])).toBe(some);
    expect(sshAlone(some, new Set(["a", "gone"]), [sensor("a")])).toBe(some);
  });
});
