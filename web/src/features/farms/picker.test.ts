import { describe, expect, it } from "vitest";
import { toggled } from "../../components/address.ts";
import { dropAll, type PickableSensor, pickAll, sidesOf } from "./SensorPicker.tsx";

const sensor = (id: string, change: Partial<PickableSensor> = {}): PickableSensor => ({
  id,
  name: `House ${id}`,
  serial: `2411${id}`,
  deviceType: "SMS",
  farm: null,
  ...change,
});

const SENSORS = [
  sensor("10"),
  sensor("2", { deviceType: "AT" }),
  sensor("3", { farm: "Icheon" }),
  sensor("1"),
];
const translateType = (type: string): string => (type === "AT" ? "greenhouse" : "soil");
const idsOf = (sensors: readonly PickableSensor[]): string[] => sensors.map(({ id }) => id);
const sides = (selected: readonly string[], text = "") => sidesOf(SENSORS, selected, text, translateType);

describe("two-way picker", () => {
  it("[spec 2] moves a sensor to the other side with a click, and back", () => {
    const once = toggled([], "2");
    expect(idsOf(sides(once).selected)).toEqual(["2"]);
    expect(idsOf(sides(once).available)).toEqual(["1", "3", "10"]);
    expect(toggled(once, "2")).toEqual([]);
  });

  it("[farms] sorts available sensors by name and keeps selected ones in the order of selection", () => {
    expect(idsOf(sides(["10", "1"]).selected)).toEqual(["10", "1"]);
    expect(idsOf(sides([]).available)).toEqual(["1", "2", "3", "10"]);
  });

  it.each([
    ["house 1", ["1", "10"]],
    ["24112", ["2"]],
    ["green", ["2"]],
    ["ICHEON", ["3"]],
    ["nothing", []],
  ])("[farms] finds %s", (text, found) => {
    expect(idsOf(sides([], text).available)).toEqual(found);
  });

  it("[farms] counts independently of the search", () => {
    const { available, selected, counts } = sides(["1", "2"], "green");
    expect([idsOf(available), idsOf(selected)]).toEqual([[], ["2"]]);
    expect(counts).toEqual({ available: 2, selected: 2 });
  });

  it("[farms] moves all search results at once, in both directions", () => {
    const all = pickAll(["3"], sides([], "house 1").available);
    expect(all).toEqual(["3", "1", "10"]);
    expect(dropAll(all, sides(all, "house 1").selected)).toEqual(["3"]);
  });

  it("[farms] names the sensors that leave another farm", () => {
    expect(idsOf(sides(["3", "1"]).moving)).toEqual(["3"]);
    expect(sides(["1"]).moving).toEqual([]);
  });

  it("[farms] drops a sensor that was deleted meanwhile", () => {
    expect(sides(["gone", "1"]).counts).toEqual({ available: 3, selected: 1 });
  });
});
