import { accountInfo, accountLogin } from "@mulkko/shared/rest/operations/account";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { createOwnSignIn } from "./own-sessions.ts";

const LOGIN = { username: "farmer", password: "hidden-word" };
const HEADERS = { "x-forwarded-for": "192.0.2.7" };

function harness(options: { offered?: boolean; reachable?: boolean } = {}) {
  const client = createFakeUpstream();
  const log = createCapturedLog();
  const taken: [accountId: string, token: string][] = [];
  const account = buildAccount();
  client.answer(accountInfo.path, account);
  client.answer(accountLogin.path, { accessToken: "access-1", refeshToken: "refresh-1" });
  const signIn = createOwnSignIn({
    client,
    capabilities: { has: () => options.offered ?? false },
    clock: createFakeClock(),
    upstreamClock: { offsetMs: 0 },
    log,
    reachable: () => options.reachable ?? true,
    signedIn: async (accountId, { accessToken }) => void taken.push([accountId, accessToken]),
  });
  return { client, log, taken, account, signIn };
}

test("[CRED-1] the relay signs in with the same credentials and address, and hands the tokens over", async () => {
  const { account, client, signIn, taken } = harness();
  await signIn(LOGIN, HEADERS);
  await settle();
  expect(client.calls.map(({ method, path }) => [method, path])).toEqual([
    ["POST", accountLogin.path],
    ["GET", accountInfo.path],
  ]);
  expect(client.calls[0]?.options).toMatchObject({ query: LOGIN, headers: HEADERS, limits: { ms: 3_000 } });
  expect(taken).toEqual([[String(account.id), "access-1"]]);
});

test("[CRED-1] if the API has sessions for relays, or is unavailable, no password is used twice", async () => {
  for (const options of [{ offered: true }, { reachable: false }]) {
    const { client, signIn } = harness(options);
    await signIn(LOGIN, HEADERS);
    expect(client.calls).toEqual([]);
  }
});

test("[CRED-1] a user's login continues whatever the result of the relay's own, and no log line contains it", async () => {
  const faults: [path: string, answer: unknown][] = [
    [accountLogin.path, new UpstreamStatusError("hidden-word", 401, "unauthorized", null)],
    [accountLogin.path, new UpstreamUnreachableError("hidden-word", "timeout", { mayHaveExecuted: true })],
    [accountLogin.path, new Error("hidden-word")],
    [accountLogin.path, { token: "of another kind" }],
    [accountInfo.path, new UpstreamStatusError("hidden-word", 403, "forbidden", null)],
  ];
  for (const [path, answer] of faults) {
    const { client, log, signIn, taken } = harness();
    client.answer(path, answer);
    await signIn(LOGIN, HEADERS);
    await settle();
    expect(taken).toEqual([]);
    expect(log.lines).toHaveLength(1);
    expect(JSON.stringify(log.lines)).not.toMatch(/hidden|access-1|refresh-1/);
  }
});

test("[CRED-1] the number of sign-ins that wait for a slow API is limited", async () => {
  const { client, signIn } = harness();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  client.answer(accountLogin.path, promise);
  const logins = Array.from({ length: 40 }, () => signIn(LOGIN, HEADERS));
  expect(client.count(accountLogin.path)).toBe(32);
  resolve({ accessToken: "access-1" });
  await Promise.all(logins);
  await signIn(LOGIN, HEADERS);
  expect(client.count(accountLogin.path)).toBe(33);
});
