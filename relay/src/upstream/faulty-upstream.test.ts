import { buildAccount, buildController, buildLogEntry, buildSensor } from "@mulkko/shared/testing/builders";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, test } from "vitest";
import { buildFakeAccount } from "../../testing/fake-farm-api.ts";
import { type FaultyApi, type Illness, startFaultyApi } from "../../testing/faulty-api.ts";
import { createMovableClock } from "../../testing/redis-harness.ts";
import { startRelayHarness } from "../../testing/relay-harness.ts";
import { stateOf } from "../store/streams.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SEOUL_MS = 9 * 60 * MINUTE;
const KEY = "sensor:10000000-0000-4000-8000-000000000001";
const CONTROLLER = "controller:20000000-0000-4000-8000-000000000001";

/** Return a token that outlives every test, so that only the API ends sessions. */
const token = (): string => {
  const claims = JSON.stringify({ exp: Math.floor(Date.now() / SECOND) + 10 * 24 * 3_600 });
  return `e30.${Buffer.from(claims).toString("base64url")}.x`;
};

/** Start a relay with a controlled clock and a viewer, in front of a faulty API. */
async function open() {
  const clock = createMovableClock();
  const timers = createFakeTimers(clock);
  const api = await startFaultyApi(clock);
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
  const harness = await startRelayHarness(account, { API_URL: api.origin }, ({ origin }) => api.aim(origin), {
    clock,
    timers,
    random: () => 0.5,
  });
  /** Advance the time, including the requests and answers in between. */
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
  /**
   * Advance the time until the condition holds. Calls that only the machine's clock aborts make this slow.
   */
  const until = async (isSo: () => boolean): Promise<void> => {
    const { kind } = api.illness;
    await pass(48 * 60 * MINUTE, isSo, 5 * SECOND, kind === "hangs" || kind === "drips" ? 25 : 2);
    expect(isSo()).toBe(true);
  };
  await until(() => harness.app.services.link.state.upstream === "up");
  const proof = await harness.app.services.prover.prove(account.token);
  if (!proof.ok) throw new Error("the API knows its farmer");
  const viewer = await harness.app.services.owners.view(proof.proven, account.token);
  const said: string[] = [];
  for (const stream of [viewer.devices, viewer.events]) {
    stream.listen(({ bytes }) => void said.push(bytes.toString()));
  }
  const quality = (key: string): unknown => stateOf(viewer.devices)[key]?.quality;
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
    link: () => harness.app.services.link.state.upstream,
    report() {
      account.sensors = reported();
      account.states.set("200001/11", { onoff: 2, createdDate: inSeoul() });
    },
    async close() {
      viewer.release();
      await harness.close();
      await api.close();
    },
  };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Expect that no device was ever reported offline. */
function expectNoDeviceOffline({ said }: Opened): void {
  expect(said.filter((text) => text.includes('"quality":"offline"'))).toEqual([]);
  expect(said.filter((text) => text.includes('"kind":"flip"'))).toEqual([]);
}

/** Expect one probe at a time, plus a capabilities request once a minute, and no other request. */
async function expectSingleProbes(opened: Opened): Promise<void> {
  const { api, pass } = opened;
  const from = api.asked.length;
  let most = 0;
  await pass(10 * MINUTE, () => {
    most = Math.max(most, api.open);
    return false;
  });
  expect(most).toBeLessThanOrEqual(2);
  // Each 15 to 30 s, two requests if the API answers.
  expect(api.asked.length - from).toBeLessThanOrEqual(2 * 45);
}

async function healed({ api, until, report, isFresh, link }: Opened): Promise<void> {
  api.illness = { kind: "none" };
  await until(() => {
    // The devices have reported all the time.
    report();
    return link() === "up" && isFresh();
  });
}

const AWAY: readonly (readonly [string, Illness])[] = [
  ["500 to everything", { kind: "status", status: 500 }],
  ["503 to everything", { kind: "status", status: 503 }],
  ["the page of another server", { kind: "says", text: "<html>back soon</html>", type: "text/html" }],
  ["JSON that breaks off", { kind: "says", text: '[{"id": 1, "na', type: "application/json" }],
  ["JSON of another shape", { kind: "says", text: '"ok"', type: "application/json" }],
  ["connections that break", { kind: "cuts" }],
  ["no answer at all", { kind: "hangs" }],
  ["an answer that never ends", { kind: "drips" }],
];

describe.concurrent("a faulty farm API", () => {
  test.each(AWAY)(
    "[POLL-3] with %s: sends a single probe, marks values late, and no device offline",
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
        expectNoDeviceOffline(opened);
      } finally {
        await opened.close();
      }
    },
    120_000,
  );

  test("[POLL-3] that asks for a pause gets one, and its values become late, not offline", async () => {
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
      expectNoDeviceOffline(opened);
    } finally {
      await opened.close();
    }
  });
});

/** Count the bursts of requests; requests within `apartMs` of the first belong to one burst. */
function bursts(api: FaultyApi, from: number, apartMs: number): number {
  let count = 0;
  let first = Number.NEGATIVE_INFINITY;
  for (const at of api.asked.slice(from)) {
    if (at - first < apartMs) continue;
    first = at;
    count += 1;
  }
  return count;
}
