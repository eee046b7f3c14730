import { describe, expect, it } from "vitest";
import { type ModeFacts, questionBeforeOff, questionBeforeOn, questionBeforeReset } from "./mode-question.ts";

const facts = (over: Partial<ModeFacts> = {}): ModeFacts => ({
  mode: "reservation",
  kind: "apart",
  active: "none",
  unsaved: false,
  running: null,
  ...over,
});

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

  it("[modes] a reset is always asked", () => {
    expect(questionBeforeReset(facts())).toMatchObject({ kind: "reset", clears: true, running: false });
  });
});
