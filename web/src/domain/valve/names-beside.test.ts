import type { ChannelValue, SensorValue } from "@mulkko/shared/live/devices";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesBeside } from "./names-beside.ts";
import { channelName } from "./valve-title.ts";

const CHANNEL = {
  controllerId: "c1",
  serial: "17",
  onoff: 2,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: null,
  heardAt: null,
  quality: "fresh",
} as const;
const SENSOR = { reading: null, at: null, heardAt: null, quality: null, via: null } as const;

interface Valve {
  readonly own?: string;
  readonly sensors?: readonly string[];
}

/** Return the names beside each other, and the whole names, of valves with these names and sensors. */
function namesOf(valves: readonly Valve[]) {
  const all = [...new Set(valves.flatMap(({ sensors = [] }) => sensors))];
  const sensors = new Map<string, SensorValue>(
    all.map((name, index) => [
      `${index}`,
      { ...SENSOR, info: { id: `${index}`, deviceType: "SMS", serial: index, name } },
    ]),
  );
  const channels = valves.map(({ own, sensors: borrowed = [] }, index) => {
    const sensorIds = borrowed.map((name) => `${all.indexOf(name)}`);
    const value: ChannelValue = { ...CHANNEL, number: index + 1, sensorIds, name: own ?? null };
    const name = channelName(value, { sensors, controllers: new Map() });
    return { id: `${index}`, name, value };
  });
  const beside = namesBeside(channels, sensors);
  return channels.map(({ id, name }) => ({ whole: name, short: beside.get(id) ?? "" }));
}
const shortOf = (valves: readonly Valve[]) => namesOf(valves).map(({ short }) => short);

describe("names of valves beside each other", () => {
  it.each([
    [
      "end",
      [["1동 앞 베드 토양수분", "1동 뒤 베드 토양수분"], ["2동 토양수분"], ["3동 토양수분"]],
      ["1동 앞 베드 · 1동 뒤 베드", "2동", "3동"],
    ],
    ["begin", [["Soil house A"], ["Soil house B"]], ["A", "B"]],
    ["begin and end", [["Soil A top"], ["Soil B top"]], ["A", "B"]],
    ["are nothing but", [["Bed"], ["Bed left"]], ["Bed", "Bed left"]],
  ])("[NAME-1] borrowed names lose the words that all of them %s with", (_, sensors, expected) => {
    expect(shortOf(sensors.map((each) => ({ sensors: each })))).toEqual(expected);
  });

  it("[NAME-1] leaves a valve's own name whole, and a single borrowed one", () => {
    expect(shortOf([{ own: "앞 베드" }, { own: "뒤 베드" }])).toEqual(["앞 베드", "뒤 베드"]);
    expect(shortOf([{ own: "뒤 토양수분" }, { sensors: ["앞 토양수분"] }])).toEqual([
      "뒤 토양수분",
      "앞 토양수분",
    ]);
    expect(shortOf([{ sensors: ["앞 베드"] }, { sensors: ["앞 베드"] }])).toEqual(["앞 베드", "앞 베드"]);
  });

  it("[NAME-1] keeps any borrowed names distinct, and each a part of the whole one", () => {
    const word = fc.constantFrom("1동", "2동", "앞", "뒤", "베드", "토양수분");
    const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const found = namesOf(names.map((each) => ({ sensors: [each] })));
        expect(new Set(found.map(({ short }) => short)).size).toBe(names.length);
        for (const { whole, short } of found) {
          expect(short).not.toBe("");
          expect(whole).toContain(short);
        }
      }),
    );
  });
});
