import { relayAudit } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, test } from "vitest";
import { type CapturedLog, createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream, type FakeUpstream } from "../../testing/fake-upstream.ts";
import { createAuditTrail } from "./audit-trail.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./errors.ts";
import { createRelayKey } from "./relay-key.ts";

const ROOT = { id: "root", username: "overseer" };
const CHIEF = { id: "chief", username: "chief" };
const PAIRED = {
  actor: ROOT,
  action: "display-pair",
  subject: { kind: "display", id: "d1", name: "Shed" },
} as const;

let client: FakeUpstream;
let timers: FakeTimers;
let log: CapturedLog;
let offered: boolean;
beforeEach(() => {
  client = createFakeUpstream();
  client.answer(relayAudit.path, null);
  log = createCapturedLog();
  offered = true;
});
const start = (key: string | null = "key") => {
  const clock = createFakeClock();
  timers = createFakeTimers(clock);
  const relayKey = createRelayKey(key ?? undefined, { has: () => offered });
  return createAuditTrail({ client, relayKey, clock, timers, log });
};
const sentEntries = () => client.calls.map(({ options }) => options.json);

describe("[HS-2] actions of administrators through the relay", () => {
  test("[HS-2] are sent to the farm API with the relay's key and their time", async () => {
    start().record(PAIRED);
    await settle();
    expect(client.calls).toMatchObject([{ method: "POST", options: { headers: { relayKey: "key" } } }]);
    expect(sentEntries()).toEqual([{ ...PAIRED, at: "2026-11-21T03:00:00.000Z" }]);
  });

  test("[HS-2] reading for half an hour is sent once per account and administrator", async () => {
    const trail = start();
    for (const [admin, account] of [
      [ROOT, "a"],
      [ROOT, "a"],
      [ROOT, "b"],
      [CHIEF, "a"],
    ] as const)
      trail.readAs(admin, account);
    timers.advance(29 * 60_000);
    trail.readAs(ROOT, "a");
    await settle();
    expect(client.calls).toHaveLength(3);
    timers.advance(60_000);
    trail.readAs(ROOT, "a");
    await settle();
    expect(sentEntries()[3]).toMatchObject({
      action: "account-read",
      actor: ROOT,
      subject: { kind: "user", id: "a" },
    });
  });

  test("[HS-2] wait while the farm API is unavailable, and keep their order and time", async () => {
    client.answer(
      relayAudit.path,
      new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false }),
    );
    const trail = start();
    trail.record(PAIRED);
    await settle();
    trail.record({ ...PAIRED, action: "display-revoke" });
    await settle();
    client.calls.length = 0;
    client.answer(relayAudit.path, null);
    timers.advance(30_000);
    await settle();
    expect(sentEntries()).toMatchObject([
      { action: "display-pair", at: "2026-11-21T03:00:00.000Z" },
      { action: "display-revoke", at: "2026-11-21T03:00:00.000Z" },
    ]);
    expect(timers.pending).toBe(0);
  });

  test("[HS-2] a refused one is logged, and does not block the next", async () => {
    client.answer(relayAudit.path, new UpstreamStatusError("no", 404, "not-found", null));
    const trail = start();
    trail.record(PAIRED);
    await settle();
    client.answer(relayAudit.path, null);
    trail.record({ ...PAIRED, action: "display-revoke" });
    await settle();
    expect(client.calls).toHaveLength(2);
    expect(log.lines.map(({ level }) => level)).toEqual(["warn"]);
  });

  test("[HS-2] no answer that is not about the entry loses it: each is sent again", async () => {
    const aboutIt = [400, 404, 409, 413, 422];
    const others = Array.from({ length: 200 }, (_, index) => 400 + index).filter(
      (one) => !aboutIt.includes(one),
    );
    const trail = start();
    client.answer(relayAudit.path, new UpstreamStatusError("no", 401, "", null));
    trail.record(PAIRED);
    await settle();
    for (const status of others) {
      client.answer(relayAudit.path, new UpstreamStatusError("no", status, "", null));
      timers.advance(30_000);
      await settle();
    }
    client.answer(relayAudit.path, null);
    client.calls.length = 0;
    timers.advance(30_000);
    await settle();
    expect(sentEntries()).toMatchObject([{ action: "display-pair" }]);
  });

  test("[HS-2] without the extension or a shared key, nothing is sent", async () => {
    offered = false;
    start().record(PAIRED);
    offered = true;
    start(null).record(PAIRED);
    await settle();
    expect(client.calls).toEqual([]);
  });

  test("[HS-2] of a thousand and one that wait, the oldest is only in the log", async () => {
    client.answer(
      relayAudit.path,
      new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false }),
    );
    const trail = start();
    for (let n = 0; n <= 1_000; n += 1) trail.record(PAIRED);
    await settle();
    expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
    trail.close();
    expect(timers.pending).toBe(0);
  });
});
