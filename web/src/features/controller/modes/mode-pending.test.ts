import type { Modes } from "@mulkko/shared/entities/modes";
import { describe, expect, it } from "vitest";
import { valuesOf } from "./mode-model.ts";
import { isDone, type ModePending } from "./mode-pending.ts";

const MODES: Modes = {
  active: "period",
  automatic: null,
  reservation: null,
  period: { wateringInterval: 60, wateringDuration: 5, repeat: true },
};
const pending = (over: Partial<ModePending>): ModePending => ({
  kind: "save",
  mode: "period",
  values: null,
  since: 0,
  unsure: false,
  ...over,
});

describe("unreported changes of a channel's modes", () => {
  it("[CMD-2] are done for saved values once they are reported, in any notation", () => {
    const values = valuesOf("period", MODES);
    expect(isDone(pending({ values }), MODES)).toBe(true);
    expect(isDone(pending({ values: { ...values, minutes: "05" } }), MODES)).toBe(true);
    expect(isDone(pending({ values: { ...values, minutes: "6" } }), MODES)).toBe(false);
  });

  it("[CMD-2] are done for an activated mode once the channel reports it with the values saved with it", () => {
    expect(isDone(pending({ kind: "on" }), MODES)).toBe(true);
    expect(isDone(pending({ kind: "on", mode: "automatic" }), MODES)).toBe(false);
    const values = { ...valuesOf("period", MODES), interval: "90" };
    expect(isDone(pending({ kind: "on", values }), MODES)).toBe(false);
  });

  it("[CMD-2] are done for a deactivation when another mode or none is active, for a reset when the values are gone as well", () => {
    const off: Modes = { ...MODES, active: "none" };
    expect([isDone(pending({ kind: "off" }), MODES), isDone(pending({ kind: "off" }), off)]).toEqual([
      false,
      true,
    ]);
    expect(isDone(pending({ kind: "reset" }), off)).toBe(false);
    expect(isDone(pending({ kind: "reset" }), { ...off, period: null })).toBe(true);
    expect(isDone(pending({ kind: "reset" }), { ...MODES, period: null })).toBe(false);
    expect(isDone(pending({ kind: "reset" }), null)).toBe(false);
  });
});
