import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningRedis, startRedis } from "@mulkko/testing/engines/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foundSingle, listed } from "../../testing/any-documents.ts";
import { readRecordedRelay, STORE_KINDS } from "../../testing/takeover/store-copies.ts";
import { openTakenRelay, type TakenRelay } from "../../testing/takeover/taken-relay.ts";
import { createTokenCipher, openSession, SESSIONS } from "../access/vault.ts";
import { PRESENCE } from "../account/device-memory.ts";
import { NOTIFIED } from "../account/notification-handler.ts";
import type { Viewer } from "../account/viewing.ts";
import { WATCHED_SPAN } from "../account/watched-span.ts";
import { INTENTS } from "../valves/intent.ts";
import { stateOf } from "./streams.ts";

const MINUTE_MS = 60_000;
const FARMER = "d0e50000-0000-4000-8000-000000000001";
const NEIGHBOR = "d0e50000-0000-4000-8000-000000000002";
/** The run that was open when the copies were made. */
const RUN = "takeover-open-one";
const CHANNEL = "channel:1";
const HOUSE = "d0e50000-0000-4000-8000-000024110901";
/** Numbers of what was recorded but is in no answer over REST. */
const EXPECTED = { embedded: { events: 19 }, redis: { events: 20 } };

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis("durable");
});
afterAll(() => redis.stop());

describe.each(STORE_KINDS)("the %s store of an earlier relay", (kind) => {
  const { recordedAt, answers, farm, relaySecret, displayToken, waitingCode } = readRecordedRelay(kind);
  const expected = EXPECTED[kind];
  const run = answers.commands.commands.find(({ id }) => id === RUN);
  const running = answers.waterings.waterings.find(({ channelId }) => `channel:${channelId}` === CHANNEL);
  const runEnd = Date.parse(run?.until ?? "");
  let folder: string;
  let relay: TakenRelay | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "mulkko-takeover-"));
  });
  afterEach(async () => {
    await relay?.close();
    relay = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (at: number): Promise<TakenRelay> => {
    relay = await openTakenRelay(kind, { folder, redisUrl: redis.url, at });
    return relay;
  };

  test("[NODE-6] has its intents, sessions, screens, events and presence for today's relay", async () => {
    const { store, displays, until } = await open(Date.parse(recordedAt) + MINUTE_MS);
    const { documents } = await store.claim(FARMER);
    expect(await listed(documents, INTENTS)).toMatchObject([
      [CHANNEL, { commandId: RUN, want: "open", timed: true, state: "confirmed" }],
    ]);
    expect(await store.watchedAccounts()).toEqual([FARMER]);
    expect(await store.accountsWith(INTENTS)).toEqual([FARMER]);
    const cipher = createTokenCipher(relaySecret);
    const sessionOf = async (id: string) =>
      openSession(cipher, String(await foundSingle(store.documents(id), SESSIONS)));
    expect(await sessionOf(FARMER)).toMatchObject({ kind: "pair", refreshToken: expect.any(String) });
    expect(await sessionOf(NEIGHBOR)).toEqual({ kind: "ended", why: "stopped" });

    await until(() => displays.service.accounts().has(FARMER));
    expect(await displays.service.list(FARMER)).toEqual(answers.displays.displays);
    expect(await displays.service.pending(waitingCode)).toMatchObject({ address: "127.0.0.1" });
    const display = { farms: ["1"], scope: "ack", name: "작업장 화면" };
    expect(await displays.transport.prove(displayToken)).toMatchObject({ ok: true, display });

    const { events } = await store.attach(FARMER);
    expect(events.offset).toBe(expected.events);
    const resumed = events.eventsSince({ epoch: events.epoch, offset: 0 }, 100);
    expect(resumed.kind === "resume" && resumed.missed.length).toBe(expected.events);
    expect(resumed).toMatchObject({
      missed: expect.arrayContaining([
        { offset: expect.any(Number), event: expect.objectContaining({ id: RUN, state: "confirmed" }) },
      ]),
    });
    expect(await foundSingle(documents, NOTIFIED)).toMatchObject({ keys: ["1"] });
    const span = await documents.single(WATCHED_SPAN);
    expect(new Date(span?.ok ? span.value.since : 0).toISOString()).toBe(answers.waterings.knownFrom);
    const presence = await listed(documents, PRESENCE);
    expect(presence).toHaveLength(7);
    expect(presence.filter(([, { offline }]) => offline).map(([key]) => key)).toEqual([
      answers.alarms.content.find(({ type }) => type === "offline")?.key,
    ]);
  });

  test("[NODE-6] [ALM-6] answers settings, alarms, commands and waterings as the earlier relay did", async () => {
    const { owners, proven, until } = await open(Date.parse(recordedAt) + MINUTE_MS);
    let isRead = false;
    owners.resume().then(
      () => {
        isRead = true;
      },
      () => undefined,
    );
    await until(() => isRead);
    const settings = await owners.settings(proven, "token");
    expect(await settings.get()).toEqual(answers.settings);
    const service = await owners.service(proven, undefined);
    expect(await service.commands({ from: 0, to: runEnd })).toEqual(answers.commands.commands);
    const { waterings, watchedSince } = await service.waterings({ since: 0 });
    // This relay adds the end of a run.
    expect(waterings.map(({ watering }) => watering).reverse()).toMatchObject(answers.waterings.waterings);
    expect(new Date(watchedSince ?? 0).toISOString()).toBe(answers.waterings.knownFrom);
    const alarms = await owners.alarms(proven, undefined);
    expect(await alarms.list({ which: "present" })).toEqual(answers.alarms.content);
  });

  test("[NODE-6] [NODE-2] [SUB-3] fills the streams from the farm API, with the names and the run of before", async () => {
    const { owners, proven, until } = await open(Date.parse(recordedAt) + MINUTE_MS);
    const state = (viewer: Viewer) => stateOf(viewer.devices);
    let viewer: Viewer | undefined;
    owners.view(proven, "token").then(
      (one) => {
        viewer = one;
      },
      () => undefined,
    );
    await until(() => viewer !== undefined && state(viewer)[CHANNEL]?.onoff === 1);
    if (viewer === undefined) throw new Error("the account was not read");
    const keys = Object.keys(state(viewer));
    expect(keys.filter((key) => key.startsWith("sensor:"))).toHaveLength(farm.sensors.length);
    expect(state(viewer)[CHANNEL]).toMatchObject({
      name: "1동 앞 베드 밸브",
      runUntil: running?.plannedEnd,
      endsBy: "device",
      command: null,
    });
    expect(keys).toEqual(
      expect.arrayContaining([
        ...answers.alarms.content.map(({ id }) => `alarm:${id}`),
        ...answers.waterings.waterings.map(({ id }) => `watering:${id}`),
      ]),
    );
    viewer.release();
  });

  test("[NODE-6] [RUN-3] closes the run that was open at its end, and not before", async () => {
    // The relay closes a run that the device times itself ten seconds after its end (RUN-2).
    const due = runEnd + 10_000;
    const { owners, commands, until } = await open(
      kind === "embedded" ? Date.parse(recordedAt) + MINUTE_MS : due - 2_000,
    );
    owners.resume().catch(() => undefined);
    await until(() => commands.length > 0);
    expect(commands).toMatchObject([{ body: { uuid: HOUSE, channel: 1, command: "onoff", payload: 2 } }]);
    expect(commands[0]?.at).toBeGreaterThanOrEqual(due);
    expect(commands[0]?.at).toBeLessThan(due + 5_000);
  });
});
