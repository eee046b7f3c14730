import type { Alarm } from "@mulkko/shared/live/alarm";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { describe, expect, it } from "vitest";
import { activityLines, countUnseen } from "./activity.ts";

const at = (minute: number) => `2026-11-21T03:${`${minute}`.padStart(2, "0")}:00Z`;
const by = { id: "a", nickname: "Kim" };
const command = (
  id: string,
  state: "requested" | "accepted" | "confirmed" | "failed",
  minute: number,
): LiveEvent => ({
  kind: "command",
  at: at(minute),
  id,
  command: "onoff",
  controllerId: "c",
  channelId: "11",
  number: 1,
  target: 1,
  state,
  by,
});
const flip = (online: boolean, minute: number): LiveEvent => ({
  kind: "flip",
  at: at(minute),
  key: "sensor:s1",
  online,
  last: null,
});
const notification: LiveEvent = {
  kind: "notification",
  at: at(9),
  id: 1,
  type: "BATTERY",
  message: "low",
  createdDate: at(9),
  unread: true,
};

describe("activity", () => {
  it("[CMD-1] shows the steps of one command as one line with its newest state", () => {
    const lines = activityLines([
      command("k1", "confirmed", 3),
      command("k2", "accepted", 2),
      command("k1", "requested", 1),
    ]);
    expect(lines.map(({ id, event }) => [id, "state" in event && event.state])).toEqual([
      ["command k1", "confirmed"],
      ["command k2", "accepted"],
    ]);
  });
  it("[activity] shows each flip as a separate line, and no notifications", () => {
    expect(activityLines([flip(true, 5), notification, flip(false, 4)])).toHaveLength(2);
  });
  it("[ALM-6] shows an alarm as one line with its newest state, unless another line covers it", () => {
    const alarm = (type: "offline" | "farm-link", minute: number, active: boolean): LiveEvent => ({
      kind: "alarm",
      at: at(minute),
      alarm: {
        id: type,
        key: "farm:1",
        type,
        priority: 2,
        count: 4,
        active,
        raisedAt: at(1),
        clearedAt: active ? null : at(minute),
        ack: null,
        snooze: null,
      },
    });
    const events = [alarm("farm-link", 5, false), alarm("offline", 3, true), alarm("farm-link", 2, true)];
    const lines = activityLines(events);
    expect(lines.map(({ id, event }) => [id, event.at])).toEqual([["alarm farm-link", at(5)]]);
    expect(countUnseen(events, null)).toBe(0);
    expect(countUnseen(events.slice(1), null)).toBe(1);
  });
  it("[ALM-2] does not count an acknowledged alarm, nor a command confirmed later", () => {
    const alarm: Alarm = {
      ...{ id: "a", key: "controller:c", type: "controller-offline", priority: 2, count: 1, active: true },
      ...{ raisedAt: at(1), clearedAt: null, ack: null, snooze: null },
    };
    const raised: LiveEvent = { kind: "alarm", at: at(1), alarm };
    const acknowledged: LiveEvent = {
      ...raised,
      at: at(2),
      alarm: { ...alarm, ack: { by, at: at(2), comment: null } },
    };
    expect(countUnseen([raised], null)).toBe(1);
    expect(countUnseen([acknowledged, raised], null)).toBe(0);
    expect(countUnseen([command("k", "confirmed", 4), command("k", "failed", 3)], null)).toBe(0);
  });
  it("[activity] counts unseen noteworthy events in the bell", () => {
    const events = [notification, flip(false, 5), command("k", "failed", 4), command("k", "requested", 3)];
    expect(countUnseen(events, null)).toBe(3);
    expect(countUnseen(events, at(4))).toBe(2);
    expect(countUnseen(events, at(9))).toBe(0);
  });
});
