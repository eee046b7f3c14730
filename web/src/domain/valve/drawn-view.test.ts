import type { ChannelCommand, CommandState } from "@mulkko/shared/live/devices";
import type { ValveCode, ValveTarget } from "@mulkko/shared/rules/valve";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawnView } from "./drawn-view.ts";

const STATES = [
  "requested",
  "accepted",
  "confirmed",
  "unconfirmed",
  "failed",
  "refused",
  "superseded",
] as const satisfies readonly CommandState[];

const commandOf = (id: string, target: ValveTarget, state: CommandState): ChannelCommand => ({
  ...{ id, target, state, command: "onoff", since: "2026-11-21T03:00:00Z" },
  by: { id: "1", nickname: "kim" },
});
const onoff = fc.constantFrom<ValveCode>(0, 1, 2);
const quality = fc.constantFrom("fresh", "late", "offline", null);
const anyCommand = fc.option(
  fc.record({ target: fc.constantFrom<ValveTarget>(1, 2), state: fc.constantFrom(...STATES) }),
);

describe("the drawn state of a valve with an unanswered command of this browser", () => {
  it("[CMD-18] is the newest press, whatever older command the stream still shows", () => {
    const kind = fc.constantFrom("open", "close");
    fc.assert(
      fc.property(onoff, quality, anyCommand, kind, (code, drawn, older, pressed) => {
        const command = older && commandOf("older", older.target, older.state);
        const view = drawnView({ onoff: code, command }, drawn, { id: "mine", kind: pressed });
        expect(view).toMatchObject({
          ...{ kind: pressed === "open" ? "opening" : "closing", live: false, unanswered: true },
        });
      }),
    );
  });

  it("[CMD-18] is the command's own state once the stream shows it", () => {
    fc.assert(
      fc.property(onoff, quality, fc.constantFrom(...STATES), (code, drawn, state) => {
        const channel = { onoff: code, command: commandOf("mine", 2, state) };
        expect(drawnView(channel, drawn, { id: "mine", kind: "close" })).toEqual(
          drawnView(channel, drawn, null),
        );
      }),
    );
  });

  it("[CMD-18] is closing for a close-all, also over an opening or an older close without confirmation", () => {
    const drawn = (command: ChannelCommand) =>
      drawnView({ onoff: 1, command }, "fresh", { id: "all", kind: "close-all" });
    for (const [target, state] of [
      [1, "requested"],
      [1, "accepted"],
      [2, "unconfirmed"],
      [2, "failed"],
    ] as const) {
      expect(drawn(commandOf("older", target, state))).toMatchObject({ kind: "closing", unanswered: true });
    }
    expect(drawn(commandOf("all-1", 2, "requested"))).toEqual({
      kind: "closing",
      live: true,
      actual: "open",
    });
  });
});
