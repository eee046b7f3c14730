import { describe, expect, it } from "vitest";
import {
  type ModeFacts,
  questionBeforeOff,
  questionBeforeOn,
  questionBeforeReset,
  questionBeforeSave,
  type WaterFacts,
  waterOfAutomatic,
} from "./mode-question.ts";

const facts = (over: Partial<ModeFacts> = {}): ModeFacts => ({
  mode: "reservation",
  kind: "apart",
  active: "none",
  unsaved: false,
  running: null,
  water: null,
  ...over,
});
const dry: WaterFacts = {
  kind: "apart",
  quality: "fresh",
  onoff: 2,
  moisture: 27.9,
  automaticEnd: null,
  now: Date.UTC(2026, 10, 23, 3, 41),
};
const values = { low: "30", high: "35", minutes: "5", time: "", interval: "", repeat: null };

describe("what is asked of the modes", () => {
  it("[modes] one mode ends the other: that is asked, in every kind of API", () => {
    for (const kind of ["apart", "together", "one-by-one"] as const) {
      expect(questionBeforeOn(facts({ kind, active: "automatic" }))).toMatchObject({
        kind: "on",
        replaces: "automatic",
      });
      expect(questionBeforeOn(facts({ kind, active: "reservation" }))).toBeNull();
      expect(questionBeforeOn(facts({ kind }))).toBeNull();
    }
  });

  it("[mode-enable] what is not saved yet is saved with it, after a question", () => {
    expect(questionBeforeOn(facts({ unsaved: true }))).toMatchObject({ saves: true, replaces: null });
    expect(questionBeforeOn(facts({ unsaved: true, kind: "together" }))).toBeNull();
  });

  it("[modes] switching off is asked where it clears the values, or while its water runs", () => {
    expect(questionBeforeOff(facts({ active: "reservation" }))).toBeNull();
    expect(questionBeforeOff(facts({ kind: "together" }))).toMatchObject({ clears: true, running: false });
    expect(questionBeforeOff(facts({ kind: "one-by-one" }))).toMatchObject({ clears: true });
    expect(questionBeforeOff(facts({ running: "reservation" }))).toMatchObject({
      clears: false,
      running: true,
    });
    expect(questionBeforeOff(facts({ running: "period" }))).toBeNull();
  });

  it("[modes] of water that another mode has begun only the switch between the two speaks", () => {
    const switching = facts({ active: "period", running: "period" });
    expect(questionBeforeOn(switching)).toMatchObject({ replaces: "period", running: true });
    expect(questionBeforeReset(switching)).toMatchObject({ running: false });
  });

  it("[MODE-1] automatic that starts water at once is asked about, with the moisture that does it", () => {
    const water = waterOfAutomatic(values, dry);
    expect(water).toEqual({ kind: "at-once", moisture: 27.9, sure: true });
    expect(questionBeforeOn(facts({ mode: "automatic", water }))).toMatchObject({ kind: "on", water });
    expect(waterOfAutomatic(values, { ...dry, quality: "late" })).toMatchObject({ sure: false });
    const ended = { ...dry, automaticEnd: dry.now - 60_000 };
    expect(waterOfAutomatic(values, ended)).toEqual({
      kind: "after",
      moisture: 27.9,
      at: dry.now + 9 * 60_000,
    });
  });

  it("[MODE-1] of a controller that executes its own modes only what may be is said", () => {
    const foreign = { ...dry, kind: "together", automaticEnd: dry.now - 60_000 } as const;
    expect(waterOfAutomatic(values, foreign)).toEqual({ kind: "at-once", moisture: 27.9, sure: false });
    expect(waterOfAutomatic(values, { ...foreign, moisture: 31 })).toBeNull();
  });

  it("[MODE-1] nothing is said of water where it is wet enough, runs already, or nobody knows the moisture", () => {
    for (const change of [{ moisture: 30 }, { moisture: null }, { onoff: 1 }] as const) {
      expect(waterOfAutomatic(values, { ...dry, ...change })).toBeNull();
    }
    expect(waterOfAutomatic({ ...values, minutes: "" }, dry)).toBeNull();
  });

  it("[MODE-1] other bounds of the mode in charge are asked about where they start water", () => {
    const water = waterOfAutomatic(values, dry);
    const saving = facts({ mode: "automatic", active: "automatic", water });
    expect(questionBeforeSave(saving)).toMatchObject({ kind: "save", water });
    expect(questionBeforeSave({ ...saving, active: "none" })).toBeNull();
    expect(questionBeforeSave({ ...saving, water: null })).toBeNull();
  });

  it("[modes] a reset is always asked", () => {
    expect(questionBeforeReset(facts())).toMatchObject({ kind: "reset", clears: true, running: false });
  });
});
