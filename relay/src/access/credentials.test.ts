import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { NoAccessError, UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { createRelayKey } from "../upstream/relay-key.ts";
import { RelaySessions } from "./account-access.ts";
import { createCredentials } from "./credentials.ts";

const MINUTE = 60_000;
const denied = (status = 401) => new UpstreamStatusError("no", status, "unauthorized", null);
const isAccessError = (error: unknown) => error instanceof UpstreamStatusError && error.isAccess;

function harness(options: { extension?: boolean; key?: string } = {}) {
  const clock = createFakeClock();
  const client = createFakeUpstream();
  client.answer(relaySession.path, { accessToken: "own-1" });
  const relayKey = createRelayKey(options.key, { has: () => options.extension ?? false });
  const sessions = new RelaySessions({ client, relayKey, clock, upstreamClock: { offsetMs: 0 } });
  const credentials = createCredentials({ accountId: "a1", clock, sessions });
  const tried: string[] = [];
  const use = (accept: (token: string) => unknown) =>
    credentials.use(async ({ token }) => {
      tried.push(token);
      const answer = accept(token);
      if (answer instanceof Error) throw answer;
      return token;
    }, isAccessError);
  return { clock, client, sessions, credentials, tried, use };
}
const withRelay = { extension: true, key: "0123456789abcdef" };

test("[CRED-1] the relay's own session comes first, made once for ten minutes", async () => {
  const { clock, client, credentials, use } = harness(withRelay);
  credentials.lend("viewer", clock.now() + MINUTE);
  expect(await Promise.all([use(() => true), use(() => true)])).toEqual(["own-1", "own-1"]);
  clock.advance(8 * MINUTE);
  await use(() => true);
  expect(client.calls).toHaveLength(1);
  expect(client.calls[0]?.options).toMatchObject({
    headers: { relayKey: withRelay.key },
    json: { userId: "a1" },
  });
  clock.advance(2 * MINUTE);
  await use(() => true);
  expect(client.calls).toHaveLength(2);
});

test("[CRED-1] a session that the API has forgotten is renewed once", async () => {
  const { client, credentials, tried } = harness(withRelay);
  const answer = await credentials.use(async (credential) => {
    tried.push(credential.token);
    if (credential.token === "own-1") {
      client.answer(relaySession.path, { accessToken: "own-2" });
      credentials.drop(credential);
      throw denied();
    }
    return "ok";
  }, isAccessError);
  expect([answer, tried]).toEqual(["ok", ["own-1", "own-2"]]);
});

test("[CRED-1] without the extension or the key, viewers' tokens are used while they last, newest first", async () => {
  for (const options of [{}, { extension: true }, { key: withRelay.key }]) {
    const { clock, client, credentials, use, tried } = harness(options);
    credentials.lend("old", clock.now() + 2 * MINUTE);
    credentials.lend("new", clock.now() + MINUTE);
    expect(await use((token) => (token === "new" ? denied(403) : true))).toBe("old");
    clock.advance(MINUTE);
    await use(() => true);
    expect(tried).toEqual(["new", "old", "old"]);
    clock.advance(MINUTE);
    expect(credentials.any).toBe(false);
    await expect(use(() => true)).rejects.toBeInstanceOf(NoAccessError);
    expect(client.calls).toHaveLength(0);
  }
});

test.each([-60, -2, 2, 60])(
  "[CRED-1] a viewer's token counts for its own time although the clock is set by %i min",
  async (minutes) => {
    const { clock, credentials } = harness();
    credentials.lend("viewer", clock.now() + 10 * MINUTE);
    clock.jump(minutes * MINUTE);
    clock.advance(9 * MINUTE);
    expect(credentials.any).toBe(true);
    clock.advance(MINUTE);
    expect(credentials.any).toBe(false);
  },
);

test("[POLL-5] 401 and 403 switch to the next credential, other faults do not", async () => {
  const { clock, credentials, use } = harness(withRelay);
  credentials.lend("viewer", clock.now() + MINUTE);
  expect(await use((token) => (token === "own-1" ? denied(403) : true))).toBe("viewer");
  await expect(use(() => denied())).rejects.toBeInstanceOf(NoAccessError);
  const away = new UpstreamUnreachableError("away", "timeout", { mayHaveExecuted: false });
  await expect(use(() => away)).rejects.toBe(away);
});

test("[CRED-1] an account without a session from the API is retried after a minute", async () => {
  const { clock, client, credentials, use } = harness(withRelay);
  client.answer(relaySession.path, denied(404));
  credentials.lend("viewer", clock.now() + 10 * MINUTE);
  expect(await use(() => true)).toBe("viewer");
  expect(await use(() => true)).toBe("viewer");
  expect(client.calls).toHaveLength(1);
  clock.advance(MINUTE);
  await use(() => true);
  expect(client.calls).toHaveLength(2);
});

test("[CRED-1] if sessions cannot be created because of a fault, a viewer's token is used", async () => {
  const { clock, client, credentials, use } = harness(withRelay);
  client.answer(relaySession.path, new UpstreamStatusError("", 500, "internal", null));
  await expect(use(() => true)).rejects.toMatchObject({ status: 500 });
  credentials.lend("viewer", clock.now() + MINUTE);
  expect(await use(() => true)).toBe("viewer");
});

test("[POLL-3] a credential refused three times in a row rests, and a single attempt shows if it works again", async () => {
  const { clock, credentials, use, tried } = harness(withRelay);
  credentials.lend("viewer", clock.now() + 60 * MINUTE);
  const refuseOwn = (token: string) => (token === "own-1" ? denied(403) : true);
  for (let n = 0; n < 5; n += 1) expect(await use(refuseOwn)).toBe("viewer");
  expect(tried.filter((token) => token === "own-1")).toHaveLength(3);
  clock.advance(30_000);
  expect(await Promise.all([use(refuseOwn), use(refuseOwn), use(refuseOwn)])).toEqual(
    Array(3).fill("viewer"),
  );
  expect(tried.filter((token) => token === "own-1")).toHaveLength(4);
  clock.advance(30_000);
  await use(refuseOwn);
  expect(tried.filter((token) => token === "own-1")).toHaveLength(4);
  clock.advance(30_000);
  expect(await use(() => true)).toBe("own-1");
  for (let n = 0; n < 2; n += 1) await use(refuseOwn);
  expect(await use(() => true)).toBe("own-1");
});

test("[POLL-3] calls refused together, and closes refused during a rest, make it no longer", async () => {
  const { clock, credentials, use, tried } = harness();
  credentials.lend("viewer", clock.now() + 60 * MINUTE);
  await Promise.allSettled(Array.from({ length: 8 }, () => use(() => denied(403))));
  clock.advance(20_000);
  const close = credentials.use(() => Promise.reject(denied(403)), isAccessError, true);
  await expect(close).rejects.toBeInstanceOf(NoAccessError);
  tried.length = 0;
  clock.advance(9_999);
  await expect(use(() => true)).rejects.toBeInstanceOf(NoAccessError);
  expect(tried).toEqual([]);
  clock.advance(1);
  expect(await use(() => true)).toBe("viewer");
});

test("[POLL-3] with every credential resting nothing is polled, but a close is attempted with all of them", async () => {
  const { clock, credentials, use, tried } = harness();
  credentials.lend("viewer", clock.now() + 60 * MINUTE);
  for (let n = 0; n < 3; n += 1) await expect(use(() => denied(403))).rejects.toBeInstanceOf(NoAccessError);
  tried.length = 0;
  await expect(use(() => true)).rejects.toBeInstanceOf(NoAccessError);
  expect(tried).toEqual([]);
  expect(await credentials.use(async ({ token }) => token, isAccessError, true)).toBe("viewer");
  expect(await use(() => true)).toBe("viewer");
});

test("[POLL-5] a token answered 401 is not used again, whichever viewer lends it", async () => {
  const { clock, credentials } = harness();
  credentials.lend("gone", clock.now() + MINUTE);
  credentials.drop({ kind: "viewer", token: "gone" });
  credentials.lend("gone", clock.now() + MINUTE);
  expect(credentials.any).toBe(false);
});
