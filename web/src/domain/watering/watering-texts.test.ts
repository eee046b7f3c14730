import { describe, expect, it } from "vitest";
import { createTimeTexts } from "../time/time-texts.ts";
import { isEndUnconfirmed, runEnd, spanTexts } from "./watering-texts.ts";

const at = (time: string): number => Date.parse(`2026-11-22T${time}Z`);
const iso = (time: string): string => new Date(at(time)).toISOString();

describe("texts of a watering", () => {
  it("[WAT-2] give a time span within one minute with seconds", () => {
    const texts = createTimeTexts("en", "UTC");
    expect(spanTexts(at("03:15:05"), at("03:15:25"), texts, false)).toEqual({
      from: "03:15:05",
      to: "03:15:25",
    });
    expect(spanTexts(at("03:15:05"), at("03:20:05"), texts, false)).toEqual({ from: "03:15", to: "03:20" });
    expect(spanTexts(at("03:15:05"), at("03:15:25"), texts, true).from).toContain("03:15:05");
  });

  it("[WAT-1] end a running watering at its planned end, and call it unconfirmed after that", () => {
    const run = { end: null, plannedEnd: iso("03:20:00") };
    expect(runEnd(run, at("03:18:00"))).toBe(at("03:18:00"));
    expect(runEnd(run, at("03:40:00"))).toBe(at("03:20:00"));
    expect(runEnd({ end: null }, at("03:40:00"))).toBe(at("03:40:00"));
    expect(isEndUnconfirmed(run, at("03:20:30"))).toBe(false);
    expect(isEndUnconfirmed(run, at("03:21:30"))).toBe(true);
    expect(isEndUnconfirmed({ end: iso("03:20:00") }, at("03:40:00"))).toBe(false);
  });
});
