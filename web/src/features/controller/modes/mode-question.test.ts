import { describe, expect, it } from "vitest";
import {
  type ModeFacts,
  questionBeforeOff,
  questionBeforeOn,
  questionBeforeReset,
  questionBeforeSave,
  type WaterFacts,
  waterOfAutomatic,
} from "./ModeDialog.tsx";

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

describe("confirmations of mode changes", () => {
  it("[modes] ask before one mode ends another, for every kind of API", () => {
    for (const kind of ["apart", "together", "one-by-one"] as const) {
      expect(questionBeforeOn(facts({ kind, active: "automatic" }))).toMatchObject({
        kind: "on",
        replaces: "automatic",
      });
      expect(questionBeforeOn(facts({ kind, active: "reservation" }))).toBeNull();
      expect(questionBeforeOn(facts({ kind }))).toBeNull();
    }
  });

  it("[mode-enable] ask before unsaved values are saved with the activation", () => {
    expect(questionBeforeOn(facts({ unsaved: true }))).toMatchObject({ saves: true, replaces: null });
    expect(questionBeforeOn(facts({ unsaved: true, kind: "together" }))).toBeNull();
  });

  it("[modes] ask before switching off if that clears the values or the mode's water runs", () => {
    expect(questionBeforeOff(facts({ active: "reservation" }))).toBeNull();
    expect(questionBeforeOff(facts({ kind: "together" }))).toMatchObject({ clears: true, running: false });
    expect(questionBeforeOff(facts({ kind: "one-by-one" }))).toMatchObject({ clears: true });
    expect(questionBeforeOff(facts({ running: "reservation" }))).toMatchObject({
      clears: false,
      running: true,
    });
    expect(questionBeforeOff(facts({ running: "period" }))).toBeNull();
  });

  it("[modes] mention water of another mode only for a switch between the two", () => {
    const switching = facts({ active: "period", running: "period" });
    expect(questionBeforeOn(switching)).toMatchObject({ replaces: "period", running: true });
    expect(questionBeforeReset(switching)).toMatchObject({ running: false });
  });

  it("[MODE-1] ask before automatic starts water at once, with the moisture that causes it", () => {
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

  it("[MODE-1] only mention a possibility for a controller that runs its own modes", () => {
    const foreign = { ...dry, kind: "together", automaticEnd: dry.now - 60_000 } as const;
    expect(waterOfAutomatic(values, foreign)).toEqual({ kind: "at-once", moisture: 27.9, sure: false });
    expect(waterOfAutomatic(values, { ...foreign, moisture: 31 })).toBeNull();
  });

  it("[MODE-1] do not mention water if the soil is wet enough, water runs already or the moisture is unknown", () => {
    for (const change of [{ moisture: 30 }, { moisture: null }, { onoff: 1 }] as const) {
      expect(waterOfAutomatic(values, { ...dry, ...change })).toBeNull();
    }
    expect(waterOfAutomatic({ ...values, minutes: "" }, dry)).toBeNull();
  });

  it("[MODE-1] ask before new bounds of the active mode start water", () => {
    const water = waterOfAutomatic(values, dry);
    const saving = facts({ mode: "automatic", active: "automatic", water });
    expect(questionBeforeSave(saving)).toMatchObject({ kind: "save", water });
    expect(questionBeforeSave({ ...saving, active: "none" })).toBeNull();
    expect(questionBeforeSave({ ...saving, water: null })).toBeNull();
  });

  it("[modes] always ask before a reset", () => {
    expect(questionBeforeReset(facts())).toMatchObject({ kind: "reset", clears: true, running: false });
  });
});
