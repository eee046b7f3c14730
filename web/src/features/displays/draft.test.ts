import { DisplaySettings } from "@mulkko/shared/rest/displays";
import { parse } from "@mulkko/shared/schema/parse";
import { describe, expect, it } from "vitest";
import { draftFaults, draftOf, moved, newDraft, readTyped, settingsOf, shownCode } from "./draft.ts";

const ALL = { sensors: true, valves: true, places: true, fleet: false };
const NOTHING = { sensors: false, valves: false, places: false, fleet: false };
const firstPages = (content: typeof ALL) => newDraft("Screen 1", "ko", content).pages;

describe("display form values", () => {
  it("[displays] have defaults", () => {
    const settings = settingsOf(newDraft("Screen 1", "ko", ALL));
    expect(parse(DisplaySettings, settings)).toMatchObject({ ok: true });
    expect(draftFaults(newDraft("Screen 1", "ko", ALL))).toEqual({});
    expect(settings).toMatchObject({ farms: null, scope: "read", diagonalInches: 55, distanceMetres: 3 });
    expect(settings.pages).not.toContain("fleet");
  });

  it("[displays] default to pages with content, and to all pages for a new account", () => {
    expect(firstPages(ALL)).toEqual(["overview", "valves", "map", "trends", "alarms"]);
    expect(firstPages({ ...ALL, valves: false, places: false })).toEqual(["overview", "trends", "alarms"]);
    expect(firstPages(NOTHING)).toEqual(firstPages(ALL));
  });
  it("[displays] default to the fleet board for an administrator without devices", () => {
    expect(firstPages({ ...NOTHING, fleet: true })).toEqual(["fleet"]);
    expect(firstPages({ ...ALL, fleet: true })).not.toContain("fleet");
  });

  it("[displays] restore stored settings unchanged", () => {
    const stored: DisplaySettings = {
      name: "Hall",
      farms: ["1", "2"],
      pages: ["overview", "fleet"],
      tiles: ["s1"],
      turnSeconds: 45,
      diagonalInches: 43.5,
      distanceMetres: 5,
      language: "zh",
      colorMode: "light",
      night: null,
      sound: false,
      scope: "ack",
    };
    expect(settingsOf(draftOf(stored))).toEqual(stored);
  });

  it("[displays] report faults at their fields", () => {
    const wrong = {
      ...newDraft(" ", "ko", ALL),
      whose: "some",
      pages: [],
      turn: "5",
      diagonal: "big",
      distance: "",
      nightFrom: "25:00",
    } as const;
    expect(draftFaults(wrong)).toEqual({
      name: "required",
      farms: "noFarm",
      pages: "noPage",
      turn: "range",
      diagonal: "number",
      distance: "required",
      nightFrom: "time",
    });
    expect(draftFaults({ ...newDraft("a", "ko", ALL), turn: "20.5" })).toEqual({ turn: "number" });
    expect(draftFaults({ ...newDraft("a", "ko", ALL), night: false, nightFrom: "" })).toEqual({});
  });
});

describe("manually arranged tiles", () => {
  it("[displays] keep the chosen order and include at least one", () => {
    const draft = { ...newDraft("Hall", "ko", ALL), overview: "arranged", tiles: ["s3", "s1"] } as const;
    expect(draftFaults(draft)).toEqual({});
    expect(settingsOf(draft).tiles).toEqual(["s3", "s1"]);
    expect(settingsOf({ ...draft, overview: "filled" }).tiles).toBeNull();
    expect(draftFaults({ ...draft, tiles: [] })).toEqual({ tiles: "noTile" });
  });

  it("[displays] move by one place and stay at the ends", () => {
    expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
  });
});

describe("typed pairing code", () => {
  it("[displays] accepts lower case, a hyphen and blanks, and drops letters that codes do not contain", () => {
    expect(readTyped("bcdf-ghjk")).toBe("BCDFGHJK");
    expect(readTyped(" bc df gh jk lm ")).toBe("BCDFGHJK");
    expect(readTyped("aeiou12")).toBe("");
    expect(shownCode("BCDFGHJK")).toBe("BCDF-GHJK");
    expect(shownCode("BCDF")).toBe("BCDF");
  });
});
