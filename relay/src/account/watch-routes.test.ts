import { relayPath } from "@mulkko/shared/rest/routes";
import { WatchState } from "@mulkko/shared/rest/watch";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

const KEY = "0123456789abcdef";
const WAIT = { timeout: 15_000, interval: 50 };
const BY_RELAY = { by: "relay-session", ended: null, mayStart: false };
const STOPPED = { by: "nobody", ended: "stopped", mayStart: true };

let harness: RelayHarness;
beforeEach(async () => {
  const environment = { RELAY_KEY: KEY, POLL_LIST_MS: "300", POLL_LIST_UNWATCHED_MS: "300" };
  harness = await startRelayHarness(undefined, environment, (api) => {
    api.extensions = ["relay-session"];
    api.relayKey = KEY;
  });
  await expect.poll(() => harness.app.services.capabilities.has("relay-session"), WAIT).toBe(true);
});
afterEach(() => harness.close());

async function say(method: "GET" | "POST", path: string): Promise<WatchState> {
  const headers = { authorization: `Bearer ${harness.account.token}` };
  const response = await fetch(`${harness.origin}${path}`, { method, headers });
  const state = parse(WatchState, await response.json());
  if (response.status !== 200 || !state.ok) throw new Error(`${response.status}`);
  return state.value;
}
/** View the farm as a user. */
async function look(): Promise<void> {
  const { owners, prover } = harness.app.services;
  const proof = await prover.prove(harness.account.token);
  if (!proof.ok) throw new Error(proof.failure.kind);
  await owners.view(proof.proven, harness.account.token);
}
const lists = () => harness.api.calls.filter(({ path }) => path === "/api/v1/sensor/list");
const nextList = async (): Promise<string | undefined> => {
  const before = lists().length;
  await expect.poll(() => lists().length, WAIT).toBeGreaterThan(before + 1);
  return lists().at(-1)?.token;
};

test("[CRED-1] an API with sessions for relays watches the farm with one, until it is stopped, and again when started", async () => {
  await look();
  expect(await say("GET", relayPath.watch)).toEqual(BY_RELAY);
  expect(await nextList()).toMatch(/^relay-token:/);
  expect(await say("POST", relayPath.stopWatching)).toEqual(STOPPED);
  expect(await nextList()).toBe(harness.account.token);
  await harness.restart();
  await expect.poll(() => harness.app.services.capabilities.has("relay-session"), WAIT).toBe(true);
  expect(harness.app.services.owners.stats().accounts).toBe(0);
  expect(await say("GET", relayPath.watch)).toEqual(STOPPED);
  await look();
  expect(await nextList()).toBe(harness.account.token);
  expect(await say("POST", relayPath.startWatching)).toEqual(BY_RELAY);
  expect(await nextList()).toMatch(/^relay-token:/);
  await harness.restart();
  await expect.poll(() => harness.app.services.owners.stats().accounts, WAIT).toBe(1);
});

test("[CRED-1] starting a watch that was not stopped changes nothing", async () => {
  expect(await say("POST", relayPath.startWatching)).toEqual(BY_RELAY);
  expect(await say("GET", relayPath.watch)).toEqual(BY_RELAY);
});
