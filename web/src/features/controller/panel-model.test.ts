import type { CommandEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import { describe, expect, it } from "vitest";
import { valveView } from "../../domain/valve/valve-view.ts";
import { barControls, openingBlock, openingWarning, outcomeOf, wateringsOf } from "./panel-model.ts";

const fine = { live: true, storeDown: false, quality: "fresh", link: "up" } as const;
const TARGETS = [1, 2] as const;
const STATES = [
  "requested",
  "accepted",
  "confirmed",
  "refused",
  "unconfirmed",
  "failed",
  "superseded",
] as const;
const NOW = Date.parse("2026-11-21T03:00:00Z");
const event = (state: CommandEvent["state"], secondsAgo: number, number = 1): CommandEvent => ({
  kind: "command",
  at: new Date(NOW - secondsAgo * 1000).toISOString(),
  id: "k",
  command: "onoff",
  controllerId: "c",
  channelId: "11",
  number,
  target: 1,
  state,
  by: { id: "a", nickname: "Kim" },
});
const channel = { controllerId: "c", number: 1, command: null, onoff: 2, heardAt: null } as const;

describe("valve panel", () => {
  it("[CMD-3] refuses to open on a controller known to be offline or lost", () => {
    expect(openingBlock(fine)).toBeNull();
    expect(openingBlock({ ...fine, quality: "offline" })).toBe("controller-offline");
    expect(openingBlock({ ...fine, quality: "lost", link: "lost" })).toBe("controller-lost");
  });
  it("[CMD-3] opens after a warning while the controller is late or unknown", () => {
    expect(openingBlock({ ...fine, quality: "late" })).toBeNull();
    expect(openingBlock({ ...fine, quality: "unknown" })).toBeNull();
    expect([openingWarning("late"), openingWarning("unknown"), openingWarning("fresh")]).toEqual([
      "late",
      "unknown",
      null,
    ]);
  });
  it("[UI-2] keeps the close in the bar in every state but a live report of a closed valve at rest", () => {
    const commands = [null, ...TARGETS.flatMap((target) => STATES.map((state) => ({ target, state })))];
    for (const onoff of [0, 1, 2] as const)
      for (const command of commands)
        for (const quality of ["fresh", "late", "lost", "offline", "unknown", null] as const)
          for (const sending of [null, ...TARGETS]) {
            const view = valveView({ onoff, command, quality });
            const isUnderWay = command?.state === "requested" || command?.state === "accepted";
            const pending = isUnderWay ? command.target : sending;
            const bar = barControls(view, pending);
            const isClosedForSure = view.kind === "closed" && view.live && onoff === 2 && pending === null;
            expect(bar === "open", JSON.stringify({ onoff, command, quality, sending })).toBe(
              isClosedForSure,
            );
            expect(bar === "both").toBe(pending !== null);
          }
  });
  it("[CMD-8] opens nothing from a page that is not live", () => {
    expect(openingBlock({ ...fine, live: false })).toBe("not-live");
  });
  it("[NODE-3] refuses to open without a store", () => {
    expect(openingBlock({ ...fine, storeDown: true })).toBe("store-down");
  });
  it("[CMD-1] shows a confirmation for a moment, and a failure until it is old", () => {
    expect(outcomeOf([event("confirmed", 5)], channel, NOW)?.state).toBe("confirmed");
    expect(outcomeOf([event("confirmed", 30)], channel, NOW)).toBeNull();
    expect(outcomeOf([event("unconfirmed", 300)], channel, NOW)?.state).toBe("unconfirmed");
    expect(outcomeOf([event("refused", 601)], channel, NOW)).toBeNull();
  });
  it("[CMD-5] hides a missing answer once the valve has reported the requested state", () => {
    const heardAt = new Date(NOW - 10_000).toISOString();
    const open = { ...channel, onoff: 1, heardAt } as const;
    expect(outcomeOf([event("unconfirmed", 60)], open, NOW)).toBeNull();
    expect(outcomeOf([event("unconfirmed", 5)], open, NOW)?.state).toBe("unconfirmed");
    expect(outcomeOf([event("unconfirmed", 60)], { ...open, onoff: 2 }, NOW)?.state).toBe("unconfirmed");
  });
  it("[CMD-1] hides an older failure once a newer command is pending or done", () => {
    expect(outcomeOf([event("accepted", 1), event("failed", 60)], channel, NOW)).toBeNull();
    expect(outcomeOf([event("confirmed", 60), event("failed", 90)], channel, NOW)).toBeNull();
    expect(outcomeOf([event("failed", 5, 2)], channel, NOW)).toBeNull();
  });
  it("[WAT-1] finds the running and the last watering of a channel", () => {
    const watering = (id: string, start: string, end: string | null, channelId = "11"): Watering => ({
      id,
      channelId,
      cause: "person",
      by: null,
      start,
      end,
      endReason: null,
      moistureBefore: null,
      moistureAfter: null,
      litres: null,
    });
    const found = wateringsOf(
      [
        watering("a", "2026-11-21T01:00:00Z", "2026-11-21T01:10:00Z"),
        watering("b", "2026-11-21T02:00:00Z", "2026-11-21T02:10:00Z"),
        watering("c", "2026-11-21T02:59:00Z", null),
        watering("d", "2026-11-21T02:59:30Z", null, "12"),
      ],
      "11",
    );
    expect([found.running?.id, found.last?.id]).toEqual(["c", "b"]);
  });
});
