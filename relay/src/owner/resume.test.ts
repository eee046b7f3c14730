import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Extension } from "@mulkko/shared/rest/capabilities";
import { apiPath } from "@mulkko/shared/rest/routes";
import { buildController, buildSensor } from "@mulkko/shared/testing/builders";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOwnersRig, type OwnersRig } from "../testing/owners-rig.ts";
import { passTime } from "../testing/settle.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "../upstream/errors.ts";

const MINUTE = 60_000;
const KEY = "0123456789abcdef";
const refresh = apiPath.refreshState(200001, 11);
const LISTS = [apiPath.sensors, apiPath.clusters, apiPath.controllers];

const away = () => new UpstreamUnreachableError("away", "connection", { mayHaveExecuted: false });
/** An API is back: it says first what it offers. */
const isHere = (rig: OwnersRig): void => {
  rig.api.answer(apiPath.relaySession, { accessToken: "relay-token" });
  rig.api.answer(apiPath.sensors, [buildSensor()]);
  rig.api.answer(apiPath.clusters, []);
  rig.api.answer(apiPath.controllers, [buildController()]);
  rig.api.answer(refresh, { onoff: 2 });
  offered.push("relay-session");
  rig.link.reachable(true);
};
const isAway = (rig: OwnersRig): void => {
  offered.length = 0;
  rig.link.reachable(false);
  for (const path of [...LISTS, apiPath.relaySession, refresh]) rig.api.answer(path, away());
};

let folder: string;
/** What the API is known to offer: nothing before it has answered. */
let offered: Extension[];
beforeEach(() => {
  offered = [];
  folder = mkdtempSync(join(tmpdir(), "mulkko-resume-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A relay that starts anew over the files of one that had an account to watch. */
async function restarted(): Promise<OwnersRig> {
  const file = join(folder, "relay.sqlite");
  const before = createOwnersRig({ extensions: offered, relayKey: KEY, file });
  isHere(before);
  (await before.owners.view(before.proven, "t1")).release();
  await before.owners.close();
  return createOwnersRig({ extensions: offered, relayKey: KEY, file });
}

test.each([15_000, 5 * MINUTE])(
  "[RUN-3] a relay that starts while the farm API is away takes its accounts up %i ms later, when it is back",
  async (awayMs) => {
    const rig = await restarted();
    isAway(rig);
    await rig.owners.resume();
    await passTime(rig.timers, awayMs);
    isHere(rig);
    await passTime(rig.timers, 5_000);
    expect(rig.owners.stats()).toMatchObject({ accounts: 1, viewers: 0 });
    const now = new Date(rig.clock.now()).toISOString();
    rig.publish("channel", "11", { onoff: 1, at: now, heardAt: now });
    await passTime(rig.timers, 200);
    expect(rig.reports.at(-1)).toMatchObject({ channelKey: "channel:11", report: { onoff: 1, via: "mqtt" } });
  },
);

test("[CRED-1] an account that the API could not serve at the start is tried again while it is up", async () => {
  const rig = await restarted();
  isHere(rig);
  rig.api.answer(apiPath.sensors, new UpstreamStatusError("busy", 500, "internal", null));
  await rig.owners.resume();
  rig.api.answer(apiPath.sensors, [buildSensor()]);
  await passTime(rig.timers, 31_000);
  const before = rig.api.count(apiPath.sensors);
  await passTime(rig.timers, 30 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 1 });
  expect(rig.api.count(apiPath.sensors)).toBeGreaterThan(before);
});

test("[CRED-1] an account for which the API makes no session is let go, and not asked for again", async () => {
  const rig = await restarted();
  isHere(rig);
  rig.api.answer(apiPath.relaySession, new UpstreamStatusError("gone", 404, "not-found", null));
  await rig.owners.resume();
  await passTime(rig.timers, 5 * MINUTE);
  expect(rig.owners.stats()).toMatchObject({ accounts: 0 });
  const calls = rig.api.calls.length;
  await passTime(rig.timers, 60 * MINUTE);
  expect(rig.api.calls.length).toBe(calls);
});
