import { setTimeout as sleep } from "node:timers/promises";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type ControllerDevice, connectController } from "@mulkko/testing/stack/controller-device";
import { fillStore, ownerOf } from "@mulkko/testing/stack/lease";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Cluster, type ClusterNode, startCluster } from "@mulkko/testing/stack/start-cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SOIL = 24110101;
const DRY_SOIL = 24110105;
const VALVES = 24110901;
const GATE = 24110902;
const WITHOUT_DEMO = { DEMO: "off" };
/** Longest wait for an alarm that is already due, and for a node to be back. */
const SOON = { timeout: 90_000, interval: 500 };
/** Longest wait for alarms that are due after their own time: two minutes on a quiet machine. */
const DUE = { timeout: 420_000, interval: 1_000 };
/** For so long a part is away. */
const AWAY_MS = 25_000;

/** Alarms that messages of the demo farm's devices raise within minutes. */
const TYPES = [
  "battery",
  "rssi",
  "external-open",
  "open-too-long",
  "command-unconfirmed",
  "out-of-bounds",
  "controller-offline-watering",
  "controller-offline",
] as const satisfies readonly Alarm["type"][];

/**
 * Real processes: two relays over one Redis, the farm API and its broker. The other types of alarms need an hour
 * of silence, or a farm API without extensions: `relay/src/alarms/alarm-survival.test.ts` has all of them.
 */
describe("alarms over outages of everything around them", () => {
  let cluster: Cluster;
  let farmer: SignedIn;
  let accountId: string;
  let valvesId: string;
  const devices: ControllerDevice[] = [];

  const alarmsAt = async ({ url }: ClusterNode): Promise<Alarm[] | null> => {
    try {
      const response = await fetch(`${url}${relayPath.alarms}?size=200`, {
        headers: { authorization: `Bearer ${farmer.token}` },
        signal: AbortSignal.timeout(5_000),
      });
      const page = parse(AlarmPage, await response.json());
      return page.ok ? [...page.value.content] : null;
    } catch {
      return null;
    }
  };
  /** Return every active alarm by type and key, with what differs in one that was raised again. */
  const activeAt = async (node: ClusterNode): Promise<Record<string, string> | null> => {
    const alarms = await alarmsAt(node);
    if (alarms === null) return null;
    const active = alarms.filter((alarm) => alarm.active);
    return Object.fromEntries(
      active.map(({ id, type, key, priority, raisedAt }) => [
        `${type} ${key}`,
        `P${priority} ${id} ${raisedAt}`,
      ]),
    );
  };
  const runningNodes = () => cluster.nodes.filter(({ service }) => service.running());
  const owner = async (among: readonly ClusterNode[] = cluster.nodes): Promise<ClusterNode> => {
    let found: ClusterNode | undefined;
    await expect
      .poll(async () => {
        found = await ownerOf(cluster, accountId);
        return found !== undefined && among.includes(found);
      }, SOON)
      .toBe(true);
    if (!found) throw new Error("no node owns the account");
    return found;
  };
  const isReady = ({ url }: ClusterNode, wanted = 200) =>
    expect.poll(async () => (await fetch(url + relayPath.ready)).status, SOON).toBe(wanted);
  const now = (): string => new Date().toISOString();
  const up = (serial: number, message: object): Promise<void> =>
    publishAsDevice(cluster, serial, JSON.stringify({ ...message, at: now() }));

  beforeAll(async () => {
    cluster = await startCluster(2);
    const [first] = cluster.nodes;
    if (!first) throw new Error("no relay");
    farmer = await signIn(first.url, "farmer");
    const controllers = await farmer.controllers();
    const valves = controllers.find(({ serial }) => Number(serial) === VALVES);
    accountId = String((await farmer.sensors())[0]?.userId);
    valvesId = String(valves?.id);
    await cluster.api.stop();
    await cluster.api.start(WITHOUT_DEMO);
  });
  afterAll(async () => {
    for (const device of devices) await device.close();
    await cluster?.close();
  });

  it("[ALM-8] are raised by the messages and the silence of the farm's devices", async () => {
    const [first] = cluster.nodes;
    if (!first) throw new Error("no relay");
    const box = await connectController(cluster, VALVES);
    const gate = await connectController(cluster, GATE);
    devices.push(box, gate);
    const closed = () => ({ onoff: 2 as const, at: now() });
    for (const number of [1, 2, 3]) await box.say(number, closed());
    await box.say(4, { ...closed(), automatic: 1, automaticLowMoisture: 30, automaticWatering: 5 });
    await gate.say(1, { ...closed(), period: 1, periodTime: 360, periodWatering: 5 });
    const raised = async () => {
      const alarms = (await alarmsAt(first)) ?? [];
      return TYPES.filter((type) => alarms.some((alarm) => alarm.active && alarm.type === type));
    };
    // Opened at the controller, and by a person for a minute; it ignores every close.
    await box.say(1, { onoff: 1, at: now() });
    await expect.poll(raised, SOON).toContain("external-open");
    await up(SOIL, { moisture: 31, battery: 12, rssi: -118 });
    await up(DRY_SOIL, { moisture: 5 });
    await expect
      .poll(async () => {
        const body = { uuid: valvesId, command: "onoff", deviceType: "controller", channel: 2 };
        return (await farmer.post(controllerCommand.path, { ...body, payload: 1, maxRunSeconds: 60 })).status;
      }, SOON)
      .toBe(200);
    await expect.poll(() => box.received.some(({ state }) => state === 1), SOON).toBe(true);
    const { commandId = "" } = box.received.find(({ state }) => state === 1) ?? {};
    await box.say(2, { onoff: 1, at: now(), commandId });
    gate.die();
    const rest = TYPES.filter((type) => !type.startsWith("controller-offline"));
    await expect.poll(raised, DUE).toEqual(expect.arrayContaining(rest));
    box.die();
    await expect.poll(raised, DUE).toEqual([...TYPES]);
  }, 1_200_000);

  const EVENTS: Readonly<Record<string, () => Promise<void>>> = {
    async "a restart of all relays"() {
      await Promise.all(cluster.nodes.map(({ service }) => service.kill()));
      await Promise.all(cluster.nodes.map(({ service }) => service.start()));
      await owner();
    },
    async "a takeover by another relay"() {
      const killed = await owner();
      await killed.service.kill();
      await owner(runningNodes());
    },
    async "the store away"() {
      await cluster.redis.freeze();
      await Promise.all(runningNodes().map((node) => isReady(node, 503)));
      await sleep(AWAY_MS);
      await cluster.redis.thaw();
      await owner(runningNodes());
    },
    async "the store's disk full"() {
      await fillStore(cluster, true);
      await sleep(AWAY_MS);
      await fillStore(cluster, false);
      await owner(runningNodes());
    },
  };
  /** Let it happen, and compare what every running relay answers before and after it. */
  const survives = async (happening: () => Promise<void>): Promise<void> => {
    const [some] = runningNodes();
    const before = some && (await activeAt(some));
    if (!before) throw new Error("no relay names its alarms");
    await happening();
    // Long enough for judgements that are made again after a start.
    await sleep(10_000);
    for (const node of runningNodes()) {
      await expect.poll(() => activeAt(node), SOON).toMatchObject(before);
    }
    for (const { service } of cluster.nodes) if (!service.running()) await service.start();
    await Promise.all(
      cluster.nodes.map((node) => expect.poll(() => activeAt(node), SOON).toMatchObject(before)),
    );
  };

  it.each(Object.keys(EVENTS))("[ALM-8] all of them outlast %s", async (name) => {
    await survives(async () => EVENTS[name]?.());
  });

  it("[ALM-8] all of them outlast the farm API away, and what happens to the relays meanwhile", async () => {
    const [some] = cluster.nodes;
    const before = some && (await activeAt(some));
    await cluster.api.kill();
    const isRaised = async () =>
      some && ((await alarmsAt(some)) ?? []).some(({ type, active }) => active && type === "upstream-down");
    await expect.poll(isRaised, SOON).toBe(true);
    for (const happening of Object.values(EVENTS)) await survives(happening);
    await cluster.api.start(WITHOUT_DEMO);
    await expect.poll(isRaised, SOON).toBe(false);
    for (const node of cluster.nodes)
      await expect.poll(() => activeAt(node), SOON).toMatchObject(before ?? {});
  });
});
