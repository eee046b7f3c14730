import { describe, expect, it } from "vitest";
import { toggled } from "../../components/address.ts";
import type { ListedSensor } from "./model.ts";
import {
  chartAddress,
  MOST_COMPARED,
  mayJoin,
  presentOf,
  readSelection,
  writeSelection,
} from "./selection.ts";

const sensor = (id: string, deviceType: string): ListedSensor => ({
  id,
  name: id,
  serial: id,
  deviceType,
  description: "",
  quality: "fresh",
});
const soil = sensor("a", "SMS");
const nutrients = sensor("b", "SSH");
const air = sensor("c", "AT");

describe("sensor selection", () => {
  it("[sensors] adds a sensor on one click and removes it on the next, and keeps the order", () => {
    const two = toggled(toggled([], "b"), "a");
    expect(two).toEqual(["b", "a"]);
    expect(toggled(two, "b")).toEqual(["a"]);
  });
  it("[spec 2] combines sensors of different categories", () => {
    expect(mayJoin([], air)).toBe(true);
    expect(mayJoin([soil, nutrients], air)).toBe(true);
    expect(mayJoin([air], air)).toBe(true);
  });
  it("[sensors] is limited to a distinguishable number, and can still be reduced", () => {
    const many = Array.from({ length: MOST_COMPARED }, (_, index) => sensor(`${index}`, "SMS"));
    expect(mayJoin(many, soil)).toBe(false);
    expect(mayJoin(many, sensor("3", "SMS"))).toBe(true);
    expect(mayJoin(many.slice(1), air)).toBe(true);
  });
  it("[sensors] is stored in the address with unique ids, and leaves no parameter if empty", () => {
    const params = new URLSearchParams("by=farm");
    expect(`${writeSelection(params, ["b", "a"])}`).toBe("by=farm&chosen=b%2Ca");
    expect(readSelection(new URLSearchParams("chosen=b,a,,b"))).toEqual(["b", "a"]);
    expect(`${writeSelection(new URLSearchParams("chosen=a&by=farm"), [])}`).toBe("by=farm");
  });
  it("[sensors] does not request a selected sensor that was deleted elsewhere", () => {
    expect(presentOf(["c", "gone", "a"], [soil, nutrients, air])).toEqual([air, soil]);
  });
  it("[spec 2] links one sensor to its log and several to a comparison, with the last day if one is set", () => {
    expect(chartAddress(["a"], null)).toBe("/sensors/type?id=a");
    expect(chartAddress(["a", "b"], null)).toBe("/sensors/type?ids=a%2Cb");
    expect(chartAddress(["a", "b"], "2026-11-20")).toBe("/sensors/type?ids=a%2Cb&end=2026-11-20");
  });
});
