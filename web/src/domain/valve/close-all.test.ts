import type { CommandState } from "@mulkko/shared/live/devices";
import { describe, expect, it } from "vitest";
import { advance, type Closing, type ClosingValve, outcomeOfValve, summaryOf } from "./closing-service.ts";

const valve = (number: number, state: CommandState, change: Partial<ClosingValve> = {}): ClosingValve => ({
  channelId: `${number}`,
  controllerId: "box",
  number,
  commandId: `all-${number}`,
  state,
  reason: null,
  activeMode: "none",
  ...change,
});

const closing = (...channels: ClosingValve[]): Closing => ({ jobId: "job", farmId: "1", at: 0, channels });
const step = (number: number, state: CommandState, reason: string | null = null) => ({
  id: `all-${number}`,
  state,
  reason,
});

describe("close all", () => {
  it("[RUN-5] ends with all closed once each valve has confirmed", () => {
    const began = closing(valve(1, "accepted"), valve(2, "requested"));
    expect(summaryOf(began)).toMatchObject({ state: "under-way", closing: 2, closed: 0 });
    const half = advance(began, step(1, "confirmed"));
    expect(summaryOf(half)).toMatchObject({ state: "under-way", closing: 1, closed: 1, total: 2 });
    const done = advance(half, step(2, "confirmed"));
    expect(summaryOf(done)).toMatchObject({ state: "all-closed", closed: 2, troubled: [] });
  });

  it.each([
    ["unconfirmed", "no-confirmation"],
    ["failed", "upstream-down"],
    ["refused", "not-found"],
    ["superseded", null],
  ] as const)("[RUN-5] a valve that is %s is named, never counted as closed", (state, reason) => {
    const done = advance(closing(valve(1, "confirmed"), valve(2, "accepted")), step(2, state, reason));
    expect(summaryOf(done)).toMatchObject({
      state: "not-confirmed",
      closed: 1,
      troubled: [{ number: 2, reason }],
    });
  });

  it("[CMD-5] counts a valve that reports late as closed, and ignores older steps after that", () => {
    const late = advance(closing(valve(1, "unconfirmed")), step(1, "confirmed"));
    expect(summaryOf(late).state).toBe("all-closed");
    expect(advance(late, step(1, "accepted"))).toBe(late);
    expect(advance(late, step(1, "unconfirmed"))).toBe(late);
  });

  it("[RUN-5] ignores steps of other commands", () => {
    const began = closing(valve(1, "accepted"));
    expect(advance(began, step(7, "confirmed"))).toBe(began);
    expect(advance(began, step(1, "accepted"))).toBe(began);
  });

  it("[RUN-5] names the closed valves that an active mode may open again", () => {
    const done = closing(
      valve(1, "confirmed", { activeMode: "automatic" }),
      valve(2, "confirmed"),
      valve(3, "failed", { activeMode: "period" }),
    );
    expect(summaryOf(done).mayReopen.map(({ number }) => number)).toEqual([1]);
  });

  it("[RUN-5] has nothing to close on a farm without valves", () => {
    expect(summaryOf(closing()).state).toBe("nothing");
  });

  it("[CMD-1] takes a step from a command event, with its reason", () => {
    const event = {
      kind: "command",
      at: "2026-11-22T00:00:00Z",
      id: "all-1",
      command: "onoff",
      controllerId: "box",
      channelId: "1",
      number: 1,
      target: 2,
      state: "failed",
      by: { id: "me", nickname: "Kim" },
      reason: "upstream-down",
    } as const;
    const [stepped] = advance(closing(valve(1, "accepted")), event).channels;
    expect(stepped).toMatchObject({ state: "failed", reason: "upstream-down" });
  });

  it("[RUN-5] distinguishes valves moved by another command from those without an answer", () => {
    expect(outcomeOfValve({ state: "superseded" })).toBe("taken-over");
    expect(outcomeOfValve({ state: "refused" })).toBe("unconfirmed");
  });
});
