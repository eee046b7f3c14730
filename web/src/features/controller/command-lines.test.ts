import type { CommandEvent } from "@mulkko/shared/live/events";
import type { LoggedCommand } from "@mulkko/shared/rest/command";
import { describe, expect, it } from "vitest";
import { MAX_LINES, withEvent, withLog } from "./command-lines.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 22, 3, 0, second)).toISOString();
const event = (id: string, state: CommandEvent["state"], second: number): CommandEvent => ({
  kind: "command",
  at: at(second),
  id,
  command: "onoff",
  controllerId: "c",
  channelId: "11",
  number: 1,
  target: 1,
  state,
  by: { id: "a", nickname: "Kim" },
});
const logged = (id: string, second: number, ...states: LoggedCommand["state"][]): LoggedCommand => ({
  id,
  command: "onoff",
  controllerId: "c",
  channelId: "11",
  number: 1,
  target: 1,
  state: states.at(-1) ?? "requested",
  reason: null,
  by: { id: "a", nickname: "Kim" },
  origin: "screen",
  traceId: "t",
  at: at(second),
  until: null,
  steps: states.map((state, index) => ({ state, at: at(second + index) })),
});

describe("the command log of a channel", () => {
  it("[CMD-9] a command goes on in its own line, with each step's time", () => {
    const lines = [event("k", "requested", 1), event("k", "accepted", 2), event("k", "confirmed", 3)].reduce(
      withEvent,
      [],
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ state: "confirmed", at: at(1) });
    expect(lines[0]?.steps.map(({ state }) => state)).toEqual(["requested", "accepted", "confirmed"]);
  });

  it("[CMD-9] the same step told twice stands there once, and the newest command first", () => {
    const lines = [event("k", "requested", 1), event("k", "requested", 1), event("l", "requested", 5)].reduce(
      withEvent,
      [],
    );
    expect(lines.map(({ id, steps }) => [id, steps.length])).toEqual([
      ["l", 1],
      ["k", 1],
    ]);
  });

  it("[CMD-9] what was told while the log was on its way is not lost to it", () => {
    const told = [event("k", "requested", 1), event("k", "accepted", 2), event("l", "requested", 4)].reduce(
      withEvent,
      [],
    );
    const lines = withLog(told, [logged("k", 1, "requested"), logged("j", 0, "requested", "accepted")]);
    expect(lines.map(({ id, state, origin }) => [id, state, origin])).toEqual([
      ["l", "requested", null],
      ["k", "accepted", "screen"],
      ["j", "accepted", "screen"],
    ]);
  });

  it("[CMD-9] the list has an end", () => {
    const many = Array.from({ length: MAX_LINES + 5 }, (_, index) => logged(`k${index}`, index, "requested"));
    expect(withLog([], many)).toHaveLength(MAX_LINES);
    expect(withEvent(withLog([], many), event("new", "requested", 9_999))[0]?.id).toBe("new");
  });
});
