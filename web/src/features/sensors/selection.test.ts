import { describe, expect, it } from "vitest";
import type { ListedSensor } from "./model.ts";
import {
  chartAddress,
  MOST_COMPARED,
  presentOf,
  readSelection,
  refusalOf,
  toggled,
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

describe("selection of sensors", () => {
  it("[sensors] a press takes a sensor in, the next one out; the order is kept", () => {
    const two = toggled(toggled([], "b"), "a");
    expect(two).toEqual(["b", "a"]);
    expect(toggled(two, "b")).toEqual(["a"]);
  });
  it("[sensors] one family is compared: soil sensors of several types with each other, not with the air", () => {
    expect(refusalOf([], air)).toBeNull();
    expect(refusalOf([soil], nutrients)).toBeNull();
    expect(refusalOf([nutrients], air)).toEqual({ why: "family", family: "SOIL" });
    expect(refusalOf([air], air)).toBeNull();
  });
  it("[sensors] no more are compared than can be told apart; one of them can still be taken out", () => {
    const many = Array.from({ length: MOST_COMPARED }, (_, index) => sensor(`${index}`, "SMS"));
    expect(refusalOf(many, soil)).toEqual({ why: "enough" });
    expect(refusalOf(many, sensor("3", "SMS"))).toBeNull();
    expect(refusalOf(many.slice(1), soil)).toBeNull();
  });
  it("[sensors] what is chosen stands in the address, each sensor once, and leaves no trace without any", () => {
    const params = new URLSearchParams("by=farm");
    expect(`${writeSelection(params, ["b", "a"])}`).toBe("by=farm&chosen=b%2Ca");
    expect(readSelection(new URLSearchParams("chosen=b,a,,b"))).toEqual(["b", "a"]);
    expect(`${writeSelection(new URLSearchParams("chosen=a&by=farm"), [])}`).toBe("by=farm");
  });
  it("[sensors] a chosen sensor that is deleted elsewhere is not asked for", () => {
    expect(presentOf(["c", "gone", "a"], [soil, nutrients, air])).toEqual([air, soil]);
  });
  it("[spec 2] one sensor leads to its log, several to a comparison, with the last day where one is set", () => {
    expect(chartAddress(["a"], null)).toBe("/sensors/type?id=a");
    expect(chartAddress(["a", "b"], null)).toBe("/sensors/type?ids=a%2Cb");
    expect(chartAddress(["a", "b"], "2026-11-20")).toBe("/sensors/type?ids=a%2Cb&end=2026-11-20");
  });
});
