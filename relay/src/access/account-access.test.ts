import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import { RelaySessions } from "./account-access.ts";

function offered() {
  const client = createFakeUpstream();
  const clock = createFakeClock();
  const gone: string[] = [];
  const sessions = new RelaySessions({
    client,
    relayKey: () => "0123456789abcdef",
    clock,
    upstreamClock: { offsetMs: 0 },
    onGone: (accountId) => void gone.push(accountId),
  });
  return { client, clock, gone, sessions };
}

const DELETED = new UpstreamStatusError("no such account", 404, "not-found", null);

test("[HS-2] a doubted account is asked for a new session, which finds it deleted", async () => {
  const { client, gone, sessions } = offered();
  client.answer(relaySession.path, { accessToken: "before" });
  expect(await sessions.token("u1")).toBe("before");
  client.answer(relaySession.path, DELETED);
  expect(await sessions.token("u1")).toBe("before");
  sessions.doubt("u1");
  expect([await sessions.token("u1"), gone]).toEqual([null, ["u1"]]);
  // Restored: the refusal of before says nothing any more.
  client.answer(relaySession.path, { accessToken: "after" });
  expect(await sessions.token("u1")).toBeNull();
  sessions.doubt("u1");
  expect(await sessions.token("u1")).toBe("after");
});

test("[HS-2] a session that was requested before a doubt is not remembered after it", async () => {
  const { client, gone, sessions } = offered();
  const slow = Promise.withResolvers<object>();
  client.answer(relaySession.path, slow.promise);
  const first = sessions.token("u1");
  sessions.doubt("u1");
  client.answer(relaySession.path, DELETED);
  expect(await sessions.token("u1")).toBeNull();
  slow.resolve({ accessToken: "before" });
  expect(await first).toBe("before");
  expect([await sessions.token("u1"), gone]).toEqual([null, ["u1"]]);
});

test("[CRED-1] a refusal is remembered for as long as before where the clock is set back", async () => {
  const { client, clock, sessions } = offered();
  client.answer(relaySession.path, DELETED);
  expect(await sessions.token("u1")).toBeNull();
  clock.jump(-3_600_000);
  client.answer(relaySession.path, { accessToken: "after" });
  expect(await sessions.token("u1")).toBeNull();
  clock.advance(60_000);
  expect(await sessions.token("u1")).toBe("after");
});
