import { DEVICE_TYPES, deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { describe, expect, it } from "vitest";
import { dashesOf } from "../../chart/chart-model.ts";
import type { ShownSource } from "../sources/source.ts";
import { sourceKey } from "../sources/source.ts";
import { COMPARED_LINES, cardsOf, cardTitle, fieldsOf, firstLayout } from "./board-cards.ts";

const sensor = (id: string, type: string): ShownSource => ({
  source: { kind: "sensor", id },
  key: id,
  name: `Sensor ${id}`,
  type: deviceTypeOf(type),
});
const channel = (number: number): ShownSource => {
  const source = { kind: "channel", id: "c", number } as const;
  return { source, key: sourceKey(source), name: "Box", type: deviceTypeOf("COT") };
};
const drawn = (sources: ShownSource[]) =>
  cardsOf(sources).map(({ lines }) => lines.map(({ id }) => id).join(" + "));

describe("log board cards", () => {
  it("[spec 2] have the layout of the device's type, with titles as the type defines", () => {
    const cards = cardsOf([sensor("a", "SSH")]);
    expect(cards).toHaveLength(2);
    expect(cards.map(({ ofDevice }) => ofDevice)).toEqual([true, true]);
    expect(cards.map((card) => cardTitle(card, { field: (name) => name }))).toEqual([
      "Sensor a",
      "Sensor a · battery",
    ]);
    const [level] = cardsOf([sensor("a", "WATERLEVEL")]);
    expect(level && cardTitle(level, { field: (name) => name })).toBe("Sensor a · l");
    expect(cards[1]?.lines.map(({ id }) => id)).toEqual(["battery a"]);
    expect(drawn([sensor("a", "SMS")])).toEqual(["soilTemperature a", "moisture a", "battery a"]);
  });
  it("[AXIS-1] stacks the lines of a device with more than two units, at 350 px, or 400, until changed", () => {
    for (const { type } of DEVICE_TYPES) {
      for (const card of cardsOf([sensor("a", type)])) {
        const units = new Set(card.lines.map(({ field }) => field.unit)).size;
        const isStacked = units > 2 || card.lines.some(({ field }) => field.name === "valve");
        expect([type, firstLayout(card)]).toEqual([type, isStacked ? "stacked" : "overlay"]);
        expect(card.height).toBe(["AT", "FMS", "FMS02"].includes(type) ? 400 : 350);
      }
    }
    const layouts = (type: string) => cardsOf([sensor("a", type)]).map(firstLayout);
    expect(layouts("AT")).toContain("stacked");
    expect(layouts("SMS")).not.toContain("stacked");
    expect(cardsOf([sensor("a", "AT")])[0]?.lines.length).toBeGreaterThan(2);
    const [valve] = cardsOf([channel(1)]);
    expect(valve && firstLayout(valve)).toBe("stacked");
  });
  it("[log] show one measurement each in a comparison, with a line for each device that has it", () => {
    expect(drawn([sensor("a", "SMS"), sensor("b", "SSH")])).toEqual([
      "soilTemperature a",
      "moisture a + moisture b",
      "battery a + battery b",
      ...["temperature", "ec", "ph", "n", "p", "k"]
        .filter((field) => fieldsOf([sensor("b", "SSH")]).includes(field))
        .map((field) => `${field} b`),
    ]);
    for (const { compares } of cardsOf([sensor("a", "SMS"), sensor("b", "SMS")])) expect(compares).toBe(true);
  });
  it("[log] have no colour twice in a comparison; more devices get a further card", () => {
    const many = Array.from({ length: COMPARED_LINES + 1 }, (_, n) => sensor(`s${n}`, "SMS"));
    const moisture = cardsOf(many).filter(({ lines }) => lines[0]?.field.name === "moisture");
    expect(moisture.map(({ lines, part }) => [lines.length, part])).toEqual([
      [COMPARED_LINES, 1],
      [1, 2],
    ]);
    for (const { lines } of cardsOf(many)) {
      expect(new Set(lines.map(({ color }) => color)).size).toBe(lines.length);
    }
    expect(new Set(cardsOf(many).map(({ key }) => key)).size).toBe(cardsOf(many).length);
  });
  it("[spec 9] distinguish lines of equal colour in one chart by dashes", () => {
    for (const type of DEVICE_TYPES) {
      for (const { lines } of cardsOf([sensor("a", type.type)])) {
        const looks = lines.map(({ color, turn }) => `${color} ${dashesOf(turn).join()}`);
        expect(new Set(looks).size, `${type.type}: ${looks.join(" | ")}`).toBe(lines.length);
      }
    }
  });
  it("[spec 3] show valves of a controller's channels on one card and moistures on another", () => {
    expect(drawn([channel(1), channel(2)])).toEqual(["valve c:1 + valve c:2", "moisture c:1 + moisture c:2"]);
  });
  it("[log] are empty, with nothing to request, if there is nothing to show", () => {
    expect(cardsOf([])).toEqual([]);
    expect(fieldsOf([])).toEqual([]);
  });
});
