import type { CommandEvent } from "@mulkko/shared/live/events";
import type { LoggedCommand } from "@mulkko/shared/rest/command";
import { describe, expect, it } from "vitest";
import { MAX_LINES, withEvent, withLog } from "./CommandLog.tsx";

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

describe("command log of a channel", () => {
  it("[CMD-9] continues a command in its own line with the time of each step", () => {
    const lines = [event("k", "requested", 1), event("k", "accepted", 2), event("k", "confirmed", 3)].reduce(
      withEvent,
      [],
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ state: "confirmed", at: at(1) });
    expect(lines[0]?.steps.map(({ state }) => state)).toEqual(["requested", "accepted", "confirmed"]);
  });

  it("[CMD-9] shows a repeated step once and the newest command first", () => {
    const lines = [event("k", "requested", 1), event("k", "requested", 1), event("l", "requested", 5)].reduce(
      withEvent,
      [],
    );
    expect(lines.map(({ id, steps }) => [id, steps.length])).toEqual([
      ["l", 1],
      ["k", 1],
    ]);
  });

  it("[CMD-9] keeps steps that arrive while the log is loading", () => {
    const live = [event("k", "requested", 1), event("k", "accepted", 2), event("l", "requested", 4)].reduce(
      withEvent,
      [],
    );
    const lines = withLog(live, [logged("k", 1, "requested"), logged("j", 0, "requested", "accepted")]);
    expect(lines.map(({ id, state, origin }) => [id, state, origin])).toEqual([
      ["l", "requested", null],
      ["k", "accepted", "screen"],
      ["j", "accepted", "screen"],
    ]);
  });

  it("[CMD-9] limits the number of lines", () => {
    const many = Array.from({ length: MAX_LINES + 5 }, (_, index) => logged(`k${index}`, index, "requested"));
    expect(withLog([], many)).toHaveLength(MAX_LINES);
    expect(withEvent(withLog([], many), event("new", "requested", 9_999))[0]?.id).toBe("new");
  });
});
