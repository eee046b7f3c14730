import { buildAccount, buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { describe, expect, test } from "vitest";
import { buildFakeAccount } from "../testing/fake-farm-api.ts";
import { createFakeTimers } from "../testing/fake-timers.ts";
import { type IllApi, type Illness, startIllApi } from "../testing/ill-api.ts";
import { createMovableClock } from "../testing/redis-rig.ts";
import { startRelayRig } from "../testing/relay-rig.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SEOUL_MS = 9 * 60 * MINUTE;
const KEY = "sensor:10000000-0000-4000-8000-000000000001";
const CONTROLLER = "controller:20000000-0000-4000-8000-000000000001";

/** A token that outlives every test, so that it is the API alone that ends anything here. */
const token = (): string => {
  const claims = JSON.stringify({ exp: Math.floor(Date.now() / SECOND) + 10 * 24 * 3_600 });
  return `e30.${Buffer.from(claims).toString("base64url")}.x`;
};

/** A relay whose time the test moves, with a viewer behind its doors, before an API that can fall ill. */
async function open() {
  const clock = createMovableClock();
  const timers = createFakeTimers(clock);
  const api = await startIllApi(clock);
  const inSeoul = (): string => new Date(clock.now() + SEOUL_MS).toISOString().slice(0, 19).replace("T", " ");
  const reported = () => [buildSensor({ latestLog: buildLogEntry({ createdDate: inSeoul() }) })];
  const account = buildFakeAccount({
    account: buildAccount(),
    token: token(),
    sensors: reported(),
    controllers: [buildController()],
    farms: [{ id: 1, name: "House 1", sensors: [buildSensor()] }],
  });
  account.states.set("200001/11", { onoff: 2, createdDate: inSeoul() });
  const rig = await startRelayRig(account, { API_URL: api.origin }, ({ origin }) => api.aim(origin), {
    clock,
    timers,
    random: () => 0.5,
  });
  /** Lets time pass, with what is asked and answered meanwhile. */
  const pass = async (
    ms: number,
    isOver: () => boolean = () => false,
    stepMs = SECOND,
    realMs = 2,
  ): Promise<void> => {
    for (let passed = 0; passed < ms && !isOver(); passed += stepMs) {
      timers.advance(stepMs);
      await new Promise((resolve) => setTimeout(resolve, realMs));
    }
  };
  /** Until it is so; time passes meanwhile, slowly where calls are given up by the machine's clock alone. */
  const until = async (isSo: () => boolean): Promise<void> => {
    const { kind } = api.illness;
    await pass(48 * 60 * MINUTE, isSo, 5 * SECOND, kind === "hangs" || kind === "drips" ? 25 : 2);
    expect(isSo()).toBe(true);
  };
  await until(() => rig.app.heart.link.state.upstream === "up");
  const proof = await rig.app.heart.prover.prove(account.token);
  if (!proof.ok) throw new Error("the API knows its farmer");
  const viewer = await rig.app.heart.owners.view(proof.proven, account.token);
  const said: string[] = [];
  for (const stream of [viewer.devices, viewer.events]) {
    stream.listen(({ bytes }) => void said.push(bytes.toString()));
  }
  const quality = (key: string): unknown => {
    const step = viewer.devices.changesSince(undefined);
    return step.kind === "snapshot" ? step.state[key]?.quality : undefined;
  };
  const isFresh = (): boolean => quality(KEY) === "fresh" && quality(CONTROLLER) === "fresh";
  await until(isFresh);
  return {
    api,
    clock,
    said,
    isFresh,
    pass,
    until,
    quality,
    link: () => rig.app.heart.link.state.upstream,
    report() {
      account.sensors = reported();
      account.states.set("200001/11", { onoff: 2, createdDate: inSeoul() });
    },
    async close() {
      viewer.release();
      await rig.close();
      await api.close();
    },
  };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Nobody was ever told that a device is offline. */
function expectNobodyOffline({ said }: Opened): void {
  expect(said.filter((text) => text.includes('"quality":"offline"'))).toEqual([]);
  expect(said.filter((text) => text.includes('"kind":"flip"'))).toEqual([]);
}

/** Nothing is asked but the probe, one at a time, and once a minute what the API offers. */
async function expectSingleProbes(opened: Opened): Promise<void> {
  const { api, pass } = opened;
  const from = api.asked.length;
  let most = 0;
  await pass(10 * MINUTE, () => {
    most = Math.max(most, api.open);
    return false;
  });
  expect(most).toBeLessThanOrEqual(2);
  // Each 15 to 30 s, two requests where the API answers something.
  expect(api.asked.length - from).toBeLessThanOrEqual(2 * 45);
}

async function healed({ api, until, report, isFresh, link }: Opened): Promise<void> {
  api.illness = { kind: "none" };
  await until(() => {
    // The devices have been at work all the time.
    report();
    return link() === "up" && isFresh();
  });
}

const AWAY: readonly (readonly [string, Illness])[] = [
  ["500 to everything", { kind: "status", status: 500 }],
  ["503 to everything", { kind: "status", status: 503 }],
  ["the page of somebody else", { kind: "says", text: "<html>back soon</html>", type: "text/html" }],
  ["JSON that breaks off", { kind: "says", text: '[{"id": 1, "na', type: "application/json" }],
  ["JSON of another shape", { kind: "says", text: '"ok"', type: "application/json" }],
  ["connections that break", { kind: "cuts" }],
  ["no answer at all", { kind: "hangs" }],
  ["an answer that never ends", { kind: "drips" }],
];

describe.concurrent("a farm API that is ill", () => {
  test.each(AWAY)(
    "[POLL-3] with %s: a single probe, values late, and nobody offline",
    async (_name, illness) => {
      const opened = await open();
      try {
        opened.api.illness = illness;
        await opened.until(() => opened.link() === "down");
        await opened.until(() => opened.api.open <= 1);
        await expectSingleProbes(opened);
        await opened.until(() => opened.said.filter((text) => text.includes('"quality":"late"')).length > 0);
        await opened.pass(90 * MINUTE, undefined, 10 * SECOND);
        expect([opened.quality(KEY), opened.quality(CONTROLLER)]).not.toContain("fresh");
        await healed(opened);
        expectNobodyOffline(opened);
      } finally {
        await opened.close();
      }
    },
    120_000,
  );

  test("[POLL-3] that asks to be left alone is, and its values grow late, not offline", async () => {
    const opened = await open();
    try {
      opened.api.illness = { kind: "status", status: 429, retryAfter: "120" };
      const from = opened.api.asked.length;
      await opened.until(() => opened.api.asked.length > from);
      await opened.pass(20 * MINUTE);
      expect(bursts(opened.api, from, 115 * SECOND)).toBeLessThanOrEqual(11);
      await opened.pass(90 * MINUTE, undefined, 10 * SECOND);
      expect([opened.quality(KEY), opened.quality(CONTROLLER)]).not.toContain("fresh");
      await healed(opened);
      expectNobodyOffline(opened);
    } finally {
      await opened.close();
    }
  });
});

/** How often it was asked anew, what came within `apartMs` of the first counted as one. */
function bursts(api: IllApi, from: number, apartMs: number): number {
  let count = 0;
  let first = Number.NEGATIVE_INFINITY;
  for (const at of api.asked.slice(from)) {
    if (at - first < apartMs) continue;
    first = at;
    count += 1;
  }
  return count;
}
