import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import type { ReceivedMessage } from "./mqtt.ts";
import { createRecentMessages } from "./recent-messages.ts";

function harness() {
  const clock = createFakeClock();
  const recent = createRecentMessages(clock);
  const hear = (userId: string, id: string): void => {
    const message: ReceivedMessage = {
      topic: { kind: "sensor", userId, id },
      payload: Buffer.from("{}"),
      arrivedAt: clock.now(),
    };
    recent.add(message);
  };
  const take = (userId: string): string[] =>
    recent.take(userId).map(({ topic }) => ("id" in topic ? topic.id : topic.kind));
  return { clock, recent, hear, take };
}

test("[MQTT-1] a newly active account receives its own last messages, oldest first, and no others", () => {
  const { hear, take } = harness();
  hear("a", "1");
  hear("b", "2");
  hear("a", "3");
  expect(take("a")).toEqual(["1", "3"]);
  expect(take("c")).toEqual([]);
  expect(take("b")).toEqual(["2"]);
});

test("[MQTT-1] a message is delivered once", () => {
  const { hear, take } = harness();
  hear("a", "1");
  expect(take("a")).toEqual(["1"]);
  expect(take("a")).toEqual([]);
  hear("a", "2");
  expect(take("a")).toEqual(["2"]);
});

test("[MQTT-1] messages are kept for 15 s on the monotonic clock", () => {
  const { hear, take, clock } = harness();
  hear("a", "old");
  clock.advance(1);
  hear("a", "new");
  clock.advance(14_999);
  clock.jump(3_600_000);
  expect(take("b")).toEqual([]);
  clock.advance(1);
  expect(take("a")).toEqual(["new"]);
  hear("a", "older");
  clock.advance(15_001);
  expect(take("a")).toEqual([]);
});

test("[MQTT-1] of a flood the newest 18,000 are kept, in order, and never more than 20,000", () => {
  const { hear, take } = harness();
  hear("quiet", "first");
  for (let n = 0; n < 20_001; n += 1) hear("loud", String(n));
  expect(take("quiet")).toEqual([]);
  const kept = take("loud");
  expect(kept.length).toBeGreaterThanOrEqual(18_000);
  expect(kept.length).toBeLessThanOrEqual(20_000);
  expect(kept.at(-1)).toBe("20000");
  expect(kept.at(0)).toBe(String(20_001 - kept.length));
});
