import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../testing/fake-upstream.ts";
import { forgetHeard } from "./forget-heard.ts";
import { rawPath, type Span } from "./log-source.ts";
import { createRawLogs } from "./raw-logs.ts";
import { createTurnstile } from "./turnstile.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-21T05:00:00Z");
const zone = createApiTimeZone("Asia/Seoul");

/** A node that owns nothing: it hears the broker, and what it keeps is told by nobody else. */
function createNode() {
  const api = createFakeUpstream();
  api.answerOthers([]);
  const clock = createFakeClock(NOW);
  const logs = createRawLogs({ reader: api, zone, clock, turnstile: createTurnstile(4, 100) });
  const signal = new AbortController().signal;
  const hear = (id: string, body: unknown, userId = "a", kind: "sensor" | "channel" = "sensor") =>
    forgetHeard(logs, {
      topic: { kind, userId, id },
      payload: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      arrivedAt: NOW,
    });
  const rows = async (span: Span) =>
    (await logs.slice({ id: "s1" }, span, { accountId: "a", token: "t", signal })).at.length;
  const answer = (span: Span, at: number) =>
    api.answer(rawPath({ id: "s1" }, span, zone), [buildLogEntry({ createdDate: zone.toApi(at) })]);
  return { api, hear, rows, answer, logs };
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

test("[history] what is heard while rows are first asked for spoils them as well", async () => {
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

test("[history] what is heard of others, or is no reading, makes nobody ask anew", async () => {
  const node = createNode();
  await node.rows(closed);
  node.hear("s2", "not even JSON");
  node.hear("s1", "not even JSON");
  node.hear("s1", reading(closed.from + HOUR), "b");
  node.hear("s1", reading(closed.from + HOUR), "a", "channel");
  node.hear("s1", { moisture: 30 });
  await node.rows(closed);
  expect(node.api.calls).toHaveLength(1);
  expect([node.logs.keeps("a", "s1"), node.logs.keeps("a", "s2"), node.logs.keeps("b", "s1")]).toEqual([
    true,
    false,
    false,
  ]);
});
