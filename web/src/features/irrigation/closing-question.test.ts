import type { ChannelValue } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { questionOf, sameQuestion } from "./closing-question.ts";
import type { FarmBox } from "./farm-list.ts";

const channel = (change: Partial<ChannelValue>): ChannelValue => ({
  controllerId: "box",
  serial: 1,
  number: 1,
  sensorIds: [],
  onoff: 2,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: null,
  heardAt: null,
  quality: "fresh",
  ...change,
});

const automatic = {
  active: "automatic",
  automatic: { lowerBound: 30, upperBound: null, wateringDuration: 6 },
  reservation: null,
  period: null,
} as const;

const box = (...numbers: number[]): FarmBox => ({
  id: "box",
  form: "controller",
  name: "Valves",
  serial: "1",
  type: "CON04V",
  channels: numbers.map((number) => ({ id: `${number}`, name: `Bed ${number}`, number })),
});

const numbers = (valves: readonly { number: number }[]): number[] => valves.map(({ number }) => number);

describe("the question before a close-all", () => {
  it("[RUN-5] names what is open, what nobody knows, and what a mode may open again", () => {
    const channels = new Map([
      ["1", channel({ onoff: 1 })],
      ["2", channel({})],
      ["3", channel({ onoff: 0 })],
      ["4", channel({ quality: "offline", modes: automatic })],
      ["5", channel({ quality: "late" })],
      ["6", channel({ onoff: 1, link: "lost" })],
    ]);
    const question = questionOf([box(1, 2, 3, 4, 5, 6)], channels);
    expect(question.valves).toBe(6);
    expect(numbers(question.open)).toEqual([1, 6]);
    expect(numbers(question.unknown)).toEqual([3, 4, 5]);
    expect(question.mayReopen).toMatchObject([{ number: 4, mode: "automatic", name: "Bed 4" }]);
  });

  it("[RUN-5] an opening that is old is still one that is open", () => {
    const { open, unknown } = questionOf(
      [box(1)],
      new Map([["1", channel({ onoff: 1, quality: "offline" })]]),
    );
    expect([numbers(open), numbers(unknown)]).toEqual([[1], []]);
  });

  it("[irrigation] a reading changes nothing of the question", () => {
    const of = (change: Partial<ChannelValue>) => questionOf([box(1)], new Map([["1", channel(change)]]));
    expect(sameQuestion(of({}), of({ moisture: 30 }))).toBe(true);
    expect(sameQuestion(of({}), of({ onoff: 1 }))).toBe(false);
    expect(sameQuestion(of({}), of({ modes: automatic }))).toBe(false);
  });
});
