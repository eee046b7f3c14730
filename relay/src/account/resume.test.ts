import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Extension } from "@mulkko/shared/rest/capabilities";
import { channelState, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOwnersHarness, type OwnersHarness } from "../../testing/owners-harness.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";

const MINUTE = 60_000;
const KEY = "0123456789abcdef";
const refresh = pathTo(channelState, { serial: 200001, channelId: 11 });
const LISTS = [sensorList.path, clusterList.path, controllerList.path];

const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
/** Report that the API is back, with its extensions first. */
const isHere = (harness: OwnersHarness): void => {
  harness.api.answer(relaySession.path, { accessToken: "relay-token" });
  harness.api.answer(sensorList.path, [buildSensor()]);
  harness.api.answer(clusterList.path, []);
  harness.api.answer(controllerList.path, [buildController()]);
  harness.api.answer(refresh, { onoff: 2 });
  offered.push("relay-session");
  harness.link.reachable(true);
};
const isAway = (harness: OwnersHarness): void => {
  offered.length = 0;
  harness.link.reachable(false);
  for (const path of [...LISTS, relaySession.path, refresh]) harness.api.answer(path, away());
};

let folder: string;
/** Extensions of the API: none before it has answered. */
let offered: Extension[];
beforeEach(() => {
  offered = [];
  folder = mkdtempSync(join(tmpdir(), "mulkko-resume-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Start a relay with the files of one that was watching an account. */
async function restarted(): Promise<OwnersHarness> {
  const file = join(folder, "relay.sqlite");
  const before = createOwnersHarness({ extensions: offered, relayKey: KEY, file });
  isHere(before);
  (await before.owners.view(before.proven, "t1")).release();
  await before.owners.close();
  return createOwnersHarness({ extensions: offered, relayKey: KEY, file });
}

test.each([15_000, 5 * MINUTE])(
  "[RUN-3] a relay that starts while the farm API is unavailable recovers its accounts %i ms later, when it is back",
  async (awayMs) => {
    const harness = await restarted();
    isAway(harness);
    await harness.owners.resume();
    await harness.timers.pass(awayMs);
    isHere(harness);
    await harness.timers.pass(5_000);
    expect(harness.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
    const now = new Date(harness.clock.now()).toISOString();
    harness.publish("channel", "11", { onoff: 1, at: now, heardAt: now });
    await harness.timers.pass(200);
    expect(harness.reports.at(-1)).toMatchObject({
      channelKey: "channel:11",
      report: { onoff: 1, via: "mqtt" },
    });
  },
);

test("[CRED-1] an account that the API could not serve at the start is retried while the API is available", async () => {
  const harness = await restarted();
  isHere(harness);
  harness.api.answer(sensorList.path, new UpstreamStatusError("busy", 500, "internal", null));
  await harness.owners.resume();
  harness.api.answer(sensorList.path, [buildSensor()]);
  await harness.timers.pass(31_000);
  const before = harness.api.count(sensorList.path);
  await harness.timers.pass(30 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 1 });
  expect(harness.api.count(sensorList.path)).toBeGreaterThan(before);
});

test("[CRED-1] an account without a session from the API is released, and not requested again", async () => {
  const harness = await restarted();
  isHere(harness);
  harness.api.answer(relaySession.path, new UpstreamStatusError("gone", 404, "not-found", null));
  await harness.owners.resume();
  await harness.timers.pass(5 * MINUTE);
  expect(harness.owners.stats()).toMatchObject({ accounts: 0 });
  const calls = harness.api.calls.length;
  await harness.timers.pass(60 * MINUTE);
  expect(harness.api.calls.length).toBe(calls);
});
