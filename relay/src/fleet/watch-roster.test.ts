import type { Extension } from "@mulkko/shared/rest/capabilities";
import { controllerAdd } from "@mulkko/shared/rest/operations/controllers";
import { relayAccounts, relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import type { ValveAccount } from "@mulkko/shared/rest/valve-accounts";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createCapturedLog } from "../../testing/captured-log.ts";
import { createFakeUpstream } from "../../testing/fake-upstream.ts";
import { createOwnersHarness } from "../../testing/owners-harness.ts";
import type { CallOptions } from "../upstream/client.ts";
import { NoAccessError, UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";
import { CHECK_AGAIN_MS, LIST_EVERY_MS, WatchRoster } from "./watch-roster.ts";

const KEY = "0123456789abcdef";
const EXTENSIONS: Extension[] = ["relay-session", "relay-accounts"];
const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
const account = (userId: string, change: Partial<ValveAccount> = {}): ValveAccount => ({
  userId,
  devices: 1,
  disabled: false,
  ...change,
});

function startRoster(accounts: ValveAccount[], { key = KEY }: { key?: string | undefined } = {}) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const log = createCapturedLog();
  const client = createFakeUpstream();
  const state = new Map<string, WatchState>();
  const refusals = new Map<string, Error>();
  const begun: string[] = [];
  let atOnce = 0;
  let most = 0;
  let here = true;
  client.answer(relayAccounts.path, ({ query }: CallOptions) => {
    const from = query?.after === undefined ? 0 : Number(query.after);
    const page = accounts.slice(from, from + 500);
    return { accounts: page, next: from + 500 < accounts.length ? String(from + 500) : null };
  });
  const roster = new WatchRoster({
    ...{ client, clock, timers, log },
    relayKey: () => key || undefined,
    capabilities: { listen: () => () => undefined },
    isHere: () => here,
    watch: {
      request: async (id) => state.get(id) ?? { by: "relay-session", ended: null, mayStart: false },
    },
    async begin(id) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      begun.push(id);
      const refusal = refusals.get(id);
      if (refusal) throw refusal;
    },
  });
  return {
    ...{ roster, client, timers, state, refusals, begun, accounts, log },
    get most() {
      return most;
    },
    leave() {
      here = false;
    },
  };
}

test("[WATCH-1] reads all pages, and has each account watched, a few at a time", async () => {
  const many = Array.from({ length: 1_200 }, (_, n) => account(`a${n}`));
  const harness = startRoster(many);
  const { roster, begun, client, timers } = harness;
  await timers.pass(1_000);
  for (let n = 0; n < 1_000 && begun.length < many.length; n += 1) await timers.pass(1);
  expect(client.count(relayAccounts.path)).toBe(3);
  expect(new Set(begun)).toEqual(new Set(many.map(({ userId }) => userId)));
  expect(harness.most).toBe(4);
  expect(many.every(({ userId }) => roster.reasonOf(String(userId)) === null)).toBe(true);
});

test("[WATCH-1] a new account is begun with the next list, a watched one asked again after five minutes", async () => {
  const { accounts, begun, timers } = startRoster([account("a")]);
  await timers.pass(1_000);
  accounts.push(account("b"));
  await timers.pass(LIST_EVERY_MS);
  expect(begun).toEqual(["a", "b"]);
  await timers.pass(CHECK_AGAIN_MS - LIST_EVERY_MS);
  expect(begun.filter((id) => id === "a")).toHaveLength(1);
  await timers.pass(2 * LIST_EVERY_MS);
  expect(begun.filter((id) => id === "a")).toHaveLength(2);
});

test("[WATCH-2] names why an account is not watched, and notices when it is", async () => {
  const { accounts, roster, state, refusals, begun, timers } = startRoster([
    ...["stopped", "refused", "silent", "fine"].map((id) => account(id)),
    account("off", { disabled: true }),
  ]);
  state.set("stopped", { by: "nobody", ended: "stopped", mayStart: true });
  refusals.set("refused", new NoAccessError("no"));
  refusals.set("silent", away());
  const reasons = () => accounts.map(({ userId }) => roster.reasonOf(String(userId)));
  await timers.pass(1_000);
  expect(reasons()).toEqual(["stopped-by-owner", "refused", "unreadable", null, "disabled"]);
  expect(begun).not.toContain("stopped");
  expect(begun).not.toContain("off");
  state.clear();
  refusals.clear();
  accounts[4] = account("off");
  await timers.pass(LIST_EVERY_MS);
  expect(reasons()).toEqual([null, null, null, null, null]);
});

test("[WATCH-1] an account without valves, or deleted, is forgotten; an unread list forgets none", async () => {
  const { accounts, client, roster, timers } = startRoster([account("a"), account("b", { devices: 3 })]);
  const changed: string[] = [];
  roster.listen((id) => changed.push(id));
  await timers.pass(1_000);
  changed.length = 0;
  const { path } = relayAccounts;
  client.answer(path, away());
  await timers.pass(LIST_EVERY_MS);
  expect([roster.valveDevicesOf("a"), roster.valveDevicesOf("b")]).toEqual([1, 3]);
  accounts.shift();
  client.answer(path, { accounts, next: null });
  await timers.pass(LIST_EVERY_MS);
  expect([roster.reasonOf("a"), roster.valveDevicesOf("a"), changed]).toEqual([undefined, null, ["a"]]);
});

test("[WATCH-1] only the node that owns the fleet lists", async () => {
  const { client, roster, timers, leave } = startRoster([account("a")]);
  await timers.pass(1_000);
  leave();
  const before = client.count(relayAccounts.path);
  await timers.pass(10 * LIST_EVERY_MS);
  expect(client.count(relayAccounts.path)).toBe(before);
  expect(roster.reasonOf("a")).toBeUndefined();
});

test("[WATCH-2] without the list it names the accounts that the fleet finds unreported", async () => {
  const { roster, state, begun, timers } = startRoster([], { key: "" });
  await timers.pass(1_000);
  state.set("a", { by: "nobody", ended: null, mayStart: false });
  state.set("b", { by: "nobody", ended: "password-changed", mayStart: false });
  state.set("c", { by: "sign-in", ended: null, mayStart: false });
  for (const id of ["a", "b", "c"]) roster.noteUnreported(id);
  expect(roster.reasonOf("a")).toBeNull();
  await timers.pass(LIST_EVERY_MS);
  expect(["a", "b", "c"].map((id) => roster.reasonOf(id))).toEqual(["no-session", "password-changed", null]);
  expect(begun).toEqual(["c"]);
});

const listed = (harness: ReturnType<typeof createOwnersHarness>, ...ids: string[]): void =>
  harness.api.answer(relayAccounts.path, { accounts: ids.map((id) => account(id)), next: null });
const watchedBy = (harness: ReturnType<typeof createOwnersHarness>): string[] =>
  harness.api.calls
    .filter(({ path }) => path === relaySession.path)
    .map(({ options }) => JSON.stringify(options.json));

test("[WATCH-1] an account whose owner never signed in is read with a session of the relay", async () => {
  const harness = createOwnersHarness({ extensions: EXTENSIONS, relayKey: KEY });
  listed(harness, "never-here");
  await harness.timers.pass(1_000);
  expect(watchedBy(harness)).toEqual(['{"userId":"never-here"}']);
  expect([harness.owners.stats().accounts, harness.api.count(sensorList.path)]).toEqual([1, 1]);
  // It stays without a viewer.
  await harness.timers.pass(600_000);
  expect(harness.owners.stats().accounts).toBe(1);
});

test("[WATCH-1] a controller that is added through the relay starts the watch at once", async () => {
  const harness = createOwnersHarness({ extensions: EXTENSIONS, relayKey: KEY });
  listed(harness);
  await harness.timers.pass(1_000);
  expect(harness.owners.stats().accounts).toBe(0);
  harness.owners.written("new-farm", controllerAdd.path);
  await harness.timers.pass(0);
  expect(watchedBy(harness)).toEqual(['{"userId":"new-farm"}']);
});

test("[WATCH-1] a message about a valve starts the watch of its account at once", async () => {
  for (const publish of [
    (harness: ReturnType<typeof createOwnersHarness>) => harness.publish("channel", "11", { onoff: 1 }),
    (harness: ReturnType<typeof createOwnersHarness>) =>
      harness.publish("changed", { entity: "controller", id: "c1" }),
  ]) {
    const harness = createOwnersHarness({ extensions: EXTENSIONS, relayKey: KEY });
    listed(harness);
    await harness.timers.pass(1_000);
    publish(harness);
    await harness.timers.pass(0);
    expect(harness.owners.stats().accounts).toBe(1);
  }
});

test("[WATCH-2] stop watching holds against the list, messages and writes", async () => {
  const harness = createOwnersHarness({ extensions: EXTENSIONS, relayKey: KEY });
  const { accountId } = harness.proven;
  listed(harness, accountId);
  await harness.timers.pass(1_000);
  await harness.owners.watch.request(accountId, "stop");
  await harness.timers.pass(300_000);
  expect(harness.owners.stats().accounts).toBe(0);
  harness.publish("channel", "11", { onoff: 1 });
  harness.owners.written(accountId, controllerAdd.path);
  await harness.timers.pass(300_000);
  expect(harness.owners.stats().accounts).toBe(0);
});

test("[WATCH-1] a deleted account leaves", async () => {
  const harness = createOwnersHarness({ extensions: EXTENSIONS, relayKey: KEY });
  listed(harness, "gone");
  await harness.timers.pass(1_000);
  listed(harness);
  const gone = new UpstreamStatusError("no such account", 404, "not-found", null);
  for (const path of [relaySession.path, sensorList.path]) harness.api.answer(path, gone);
  await harness.timers.pass(1_200_000);
  expect(harness.owners.stats().accounts).toBe(0);
});
