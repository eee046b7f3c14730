import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { askCode } from "@mulkko/testing/stack/displays";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSettings, buildTwoFarms, TOKEN } from "../../testing/displays/display-harness.ts";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

let harness: RelayHarness;
beforeAll(async () => {
  harness = await startRelayHarness(buildTwoFarms());
});
afterAll(() => harness.close());

/** @param body sent as JSON; @returns the status */
async function call(method: string, path: string, body?: object): Promise<number> {
  const answer = await harness.call(method, path, body);
  await answer.arrayBuffer();
  return answer.status;
}

test("[AUTH-5] a token that the farm API no longer accepts changes nothing at the relay, however fresh its proof", async () => {
  const { code } = await askCode(harness.origin);
  const writes: [string, string, object?][] = [
    ["POST", relayPath.displays, { code, settings: buildSettings() }],
    ["PUT", relayPath.settings, { adoptExternal: true }],
    ["POST", relayPath.stopWatching],
    ["POST", relayPath.startWatching],
    ["POST", relayPath.closeAll("all")],
    ["DELETE", relayPath.display("d1")],
    ["DELETE", relayPath.snoozeAlarm("a1")],
  ];
  for (const [method, path, body] of writes) {
    harness.account.token = TOKEN;
    expect(await call("GET", relayPath.settings)).toBe(200);
    harness.account.token = "of another session";
    expect([path, await call(method, path, body)]).toEqual([path, 401]);
    // The result of the write also applies to reads.
    expect(await call("GET", relayPath.settings)).toBe(401);
  }
});

test("[headers] answers without cache headers are not stored in shared caches, and tokens in none", async () => {
  harness.account.token = TOKEN;
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const path of [sensorList.path, relayPath.commands]) {
    const answer = await fetch(harness.origin + path, { headers });
    expect([path, answer.headers.get("cache-control")]).toEqual([path, "private, no-cache"]);
  }
  const login = await fetch(harness.origin + accountLogin.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "farmer", password: "x" }),
  });
  expect(login.headers.get("cache-control")).toBe("no-store");
});

test("[AUTH-5] while the farm API is unavailable, a known token may close water but change nothing else", async () => {
  harness.account.token = TOKEN;
  expect(await call("GET", relayPath.settings)).toBe(200);
  harness.api.failWith = { status: 503 };
  expect(await call("PUT", relayPath.settings, { adoptExternal: true })).toBe(503);
  expect(await call("POST", relayPath.closeAll("all"))).toBe(200);
  harness.api.failWith = null;
});
