import type { ChannelValue } from "@mulkko/shared/live/devices";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { questionOf, sameQuestion } from "./CloseAllButton.tsx";
import type { FarmUnit } from "./farm-list.ts";

const channel = (change: Partial<ChannelValue>): ChannelValue =>
  buildChannelValue({ controllerId: "box", ...change });

const automatic = {
  active: "automatic",
  automatic: { lowerBound: 30, upperBound: null, wateringDuration: 6 },
  reservation: null,
  period: null,
} as const;

const unit = (...numbers: number[]): FarmUnit => ({
  id: "box",
  form: "controller",
  name: "Valves",
  serial: "1",
  type: "CON04V",
  channels: numbers.map((number) => ({ id: `${number}`, name: `Bed ${number}`, number })),
});

const numbers = (valves: readonly { number: number }[]): number[] => valves.map(({ number }) => number);

const none = { active: "none", automatic: null, reservation: null, period: null } as const;

describe("question before a close-all", () => {
  it("[RUN-5] names valves whose mode is not reported: it may open them again", () => {
    const channels = new Map([
      ["1", channel({ modes: none })],
      ["2", channel({ modes: null })],
      ["3", channel({ onoff: 1, modes: null })],
      ["4", channel({ modes: automatic })],
    ]);
    const question = questionOf([unit(1, 2, 3, 4)], channels, "fresh");
    expect(numbers(question.mayReopen)).toEqual([4]);
    expect(numbers(question.modeUnknown)).toEqual([2, 3]);
    const known = questionOf(
      [unit(1, 2, 3, 4)],
      new Map([...channels, ["2", channel({ modes: none })]]),
      "fresh",
    );
    expect(sameQuestion(question, known)).toBe(false);
  });

  it("[RUN-5] names open valves, valves in unknown state and valves that a mode may open again", () => {
    const channels = new Map([
      ["1", channel({ onoff: 1 })],
      ["2", channel({})],
      ["3", channel({ onoff: 0 })],
      ["4", channel({ quality: "offline", modes: automatic })],
      ["5", channel({ quality: "late" })],
      ["6", channel({ onoff: 1, link: "lost" })],
    ]);
    const question = questionOf([unit(1, 2, 3, 4, 5, 6)], channels, "fresh");
    expect(question.valves).toBe(6);
    expect(numbers(question.open)).toEqual([1, 6]);
    expect(numbers(question.unknown)).toEqual([3, 4, 5]);
    expect(question.mayReopen).toMatchObject([{ number: 4, mode: "automatic", name: "Bed 4" }]);
  });

  it("[ONL-2] reports no valve as closed while the farm API is down", () => {
    const channels = new Map([
      ["1", channel({ onoff: 1 })],
      ["2", channel({})],
    ]);
    const { open, unknown } = questionOf([unit(1, 2)], channels, "late");
    expect([numbers(open), numbers(unknown)]).toEqual([[1], [2]]);
  });

  it("[RUN-5] treats an old open report as open", () => {
    const { open, unknown } = questionOf(
      [unit(1)],
      new Map([["1", channel({ onoff: 1, quality: "offline" })]]),
      "fresh",
    );
    expect([numbers(open), numbers(unknown)]).toEqual([[1], []]);
  });

  it("[irrigation] is not changed by a reading", () => {
    const of = (change: Partial<ChannelValue>) =>
      questionOf([unit(1)], new Map([["1", channel(change)]]), "fresh");
    expect(sameQuestion(of({}), of({ moisture: 30 }))).toBe(true);
    expect(sameQuestion(of({}), of({ onoff: 1 }))).toBe(false);
    expect(sameQuestion(of({}), of({ modes: automatic }))).toBe(false);
  });
});
