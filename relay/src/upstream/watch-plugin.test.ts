import { relayPath } from "@mulkko/shared/rest/routes";
import { WatchState } from "@mulkko/shared/rest/watch";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RelayRig, startRelayRig } from "../testing/relay-rig.ts";

const KEY = "0123456789abcdef";
const WAIT = { timeout: 15_000, interval: 50 };
const BY_RELAY = { by: "relay-session", ended: null, mayStart: false };
const STOPPED = { by: "nobody", ended: "stopped", mayStart: true };

let rig: RelayRig;
beforeEach(async () => {
  const environment = { RELAY_KEY: KEY, POLL_LIST_MS: "300", POLL_LIST_UNWATCHED_MS: "300" };
  rig = await startRelayRig(undefined, environment, (api) => {
    api.extensions = ["relay-session"];
    api.relayKey = KEY;
  });
  await expect.poll(() => rig.app.heart.capabilities.has("relay-session"), WAIT).toBe(true);
});
afterEach(() => rig.close());

async function say(method: "GET" | "POST", path: string): Promise<WatchState> {
  const headers = { authorization: `Bearer ${rig.account.token}` };
  const response = await fetch(`${rig.origin}${path}`, { method, headers });
  const state = parse(WatchState, await response.json());
  if (response.status !== 200 || !state.ok) throw new Error(`${response.status}`);
  return state.value;
}
/** Somebody looks at the farm. */
async function look(): Promise<void> {
  const { owners, prover } = rig.app.heart;
  const proof = await prover.prove(rig.account.token);
  if (!proof.ok) throw new Error(proof.failure.kind);
  await owners.view(proof.proven, rig.account.token);
}
const lists = () => rig.api.calls.filter(({ path }) => path === "/api/v1/sensor/list");
const nextList = async (): Promise<string | undefined> => {
  const before = lists().length;
  await expect.poll(() => lists().length, WAIT).toBeGreaterThan(before + 1);
  return lists().at(-1)?.token;
};

test("[CRED-1] where the API has sessions for relays the farm is watched by one, until that is stopped, and again when it is started", async () => {
  await look();
  expect(await say("GET", relayPath.watch)).toEqual(BY_RELAY);
  expect(await nextList()).toMatch(/^relay-token:/);
  expect(await say("POST", relayPath.stopWatching)).toEqual(STOPPED);
  expect(await nextList()).toBe(rig.account.token);
  await rig.restart();
  await expect.poll(() => rig.app.heart.capabilities.has("relay-session"), WAIT).toBe(true);
  expect(rig.app.heart.owners.stats().accounts).toBe(0);
  expect(await say("GET", relayPath.watch)).toEqual(STOPPED);
  await look();
  expect(await nextList()).toBe(rig.account.token);
  expect(await say("POST", relayPath.startWatching)).toEqual(BY_RELAY);
  expect(await nextList()).toMatch(/^relay-token:/);
  await rig.restart();
  await expect.poll(() => rig.app.heart.owners.stats().accounts, WAIT).toBe(1);
});

test("[CRED-1] to start what was not stopped changes nothing", async () => {
  expect(await say("POST", relayPath.startWatching)).toEqual(BY_RELAY);
  expect(await say("GET", relayPath.watch)).toEqual(BY_RELAY);
});
