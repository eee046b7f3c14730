import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { RecentMessages } from "./recent-messages.ts";

function harness() {
  const clock = createFakeClock();
  const recent = new RecentMessages(clock);
  const receive = (userId: string, id: string): void => {
    const message: ReceivedMessage = {
      topic: { kind: "sensor", userId, id },
      payload: Buffer.from("{}"),
      arrivedAt: clock.now(),
    };
    recent.add(message);
  };
  const drain = (userId: string): string[] =>
    recent.drain(userId).map(({ topic }) => ("id" in topic ? topic.id : topic.kind));
  return { clock, recent, receive, drain };
}

test("[MQTT-1] a newly active account receives its own last messages, oldest first, and no others", () => {
  const { receive, drain } = harness();
  receive("a", "1");
  receive("b", "2");
  receive("a", "3");
  expect(drain("a")).toEqual(["1", "3"]);
  expect(drain("c")).toEqual([]);
  expect(drain("b")).toEqual(["2"]);
});

test("[MQTT-1] a message is delivered once", () => {
  const { receive, drain } = harness();
  receive("a", "1");
  expect(drain("a")).toEqual(["1"]);
  expect(drain("a")).toEqual([]);
  receive("a", "2");
  expect(drain("a")).toEqual(["2"]);
});

test("[MQTT-1] messages are kept for 15 s on the monotonic clock", () => {
  const { receive, drain, clock } = harness();
  receive("a", "old");
  clock.advance(1);
  receive("a", "new");
  clock.advance(14_999);
  clock.jump(3_600_000);
  expect(drain("b")).toEqual([]);
  clock.advance(1);
  expect(drain("a")).toEqual(["new"]);
  receive("a", "older");
  clock.advance(15_001);
  expect(drain("a")).toEqual([]);
});

test("[MQTT-1] of a flood the newest 18,000 are kept, in order, and never more than 20,000", () => {
  const { receive, drain } = harness();
  receive("quiet", "first");
  for (let n = 0; n < 20_001; n += 1) receive("loud", String(n));
  expect(drain("quiet")).toEqual([]);
  const kept = drain("loud");
  expect(kept.length).toBeGreaterThanOrEqual(18_000);
  expect(kept.length).toBeLessThanOrEqual(20_000);
  expect(kept.at(-1)).toBe("20000");
  expect(kept.at(0)).toBe(String(20_001 - kept.length));
});
