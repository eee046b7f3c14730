import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createRowTimes, createTimeAhead } from "../account/time-ahead.ts";
import { Places } from "../runtime/places.ts";
import { HISTORY_POOL } from "./limits.ts";
import { createRawLogs } from "./raw-logs.ts";
import { rawPath, type Span } from "./slices.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T05:00:00Z");
const zone = createApiTimeZone("Asia/Seoul");

/** Create a node without accounts, which only receives the broker's messages. */
function createNode() {
  const api = createFakeUpstream();
  api.answerOthers([]);
  const clock = createFakeClock(NOW);
  const logs = createRawLogs({
    reader: api,
    zone,
    rowTimes: createRowTimes({ zone, now: clock.now }, createTimeAhead(clock.now, clock.now)),
    clock,
    places: new Places(HISTORY_POOL, nodeTimers),
  });
  const signal = new AbortController().signal;
  const receive = (id: string, body: unknown, userId = "a", kind: "sensor" | "channel" = "sensor") =>
    logs.received({
      topic: { kind, userId, id },
      payload: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      arrivedAt: NOW,
    });
  const rows = async (span: Span) =>
    (await logs.slice({ id: "s1" }, span, { accountId: "a", token: "t", signal })).at.length;
  const answer = (span: Span, at: number) =>
    api.answer(rawPath({ id: "s1" }, span, zone), [buildLogEntry({ createdDate: zone.toApi(at) })]);
  return { api, hear: receive, rows, answer, logs };
}
const DAY = 24 * HOUR;
const closed: Span = {
  from: Math.floor(NOW / DAY) * DAY - 3 * DAY,
  to: Math.floor(NOW / DAY) * DAY - 2 * DAY,
};
const open: Span = { from: Math.floor(NOW / DAY) * DAY, to: Math.floor(NOW / DAY) * DAY + DAY };
const reading = (at: number) => ({ moisture: 30, at: new Date(at).toISOString() });

test.each([
  ["open", open, NOW - 60_000],
  ["closed", closed, closed.from + HOUR],
])(
  "[history] a node that owns nothing forgets an %s slice as it hears what the slice lacks",
  async (_, span, at) => {
    const node = createNode();
    expect(await node.rows(span)).toBe(0);
    node.answer(span, at);
    expect(await node.rows(span)).toBe(0);
    node.hear("s1", reading(at));
    expect(await node.rows(span)).toBe(1);
  },
);

test("[history] a message during the first request for rows also invalidates them", async () => {
  const node = createNode();
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  node.api.answer(rawPath({ id: "s1" }, closed, zone), promise);
  const first = node.rows(closed);
  await expect.poll(() => node.api.calls.length).toBe(1);
  node.hear("s1", reading(closed.from + HOUR));
  resolve([]);
  await first;
  await node.rows(closed);
  expect(node.api.calls).toHaveLength(2);
});

test("[history] messages of other sensors, or without a reading, cause no new request", async () => {
  const node = createNode();
  await node.rows(closed);
  node.hear("s2", "not even JSON");
  node.hear("s1", "not even JSON");
  node.hear("s1", reading(closed.from + HOUR), "b");
  node.hear("s1", reading(closed.from + HOUR), "a", "channel");
  node.hear("s1", { moisture: 30 });
  await node.rows(closed);
  expect(node.api.calls).toHaveLength(1);
  expect([
    node.logs.mayCache("a", "s1"),
    node.logs.mayCache("a", "s2"),
    node.logs.mayCache("b", "s1"),
  ]).toEqual([true, false, false]);
});
