import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { describe, expect, it } from "vitest";
import type { ShownSource } from "../sources/shown-source.ts";
import { sourceKey } from "../sources/source.ts";
import { COMPARED_LINES, cardsOf, fieldsOf } from "./board-cards.ts";
import { cardTitle } from "./line-label.ts";

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

describe("cards of a board", () => {
  it("[spec 2] one device has the cards of its type, titled with it as the type says", () => {
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
  it("[log] several devices are compared: a card for each measurement, a line for each that has it", () => {
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
  it("[log] no two lines of a card that compares have the same colour; more devices get a card more", () => {
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
  it("[spec 3] channels of a controller: valves on one card, moistures on another", () => {
    expect(drawn([channel(1), channel(2)])).toEqual(["valve c:1 + valve c:2", "moisture c:1 + moisture c:2"]);
  });
  it("[log] nothing to show has no cards and nothing to ask for", () => {
    expect(cardsOf([])).toEqual([]);
    expect(fieldsOf([])).toEqual([]);
  });
});
