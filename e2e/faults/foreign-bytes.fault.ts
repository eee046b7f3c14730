import { PROTOCOL } from "@mulkko/shared/live/limits";
import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { controllerCommand, controllerList } from "@mulkko/shared/rest/operations/controllers";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { notificationList } from "@mulkko/shared/rest/operations/notifications";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { foreignRequests, type Names } from "@mulkko/testing/stack/foreign-requests";
import { createLiveCopy, type LiveCopy } from "@mulkko/testing/stack/live-copy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Cluster, startCluster } from "@mulkko/testing/stack/start-cluster";
import { wordsOf } from "@mulkko/testing/stack/words";
import fc from "fast-check";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";

const REQUESTS = 4_000;
const FRAMES = 1_500;
/** Number of concurrent requests. */
const ABREAST = 8;
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const SOIL_SERIAL = 24110101;
/** A unique reading. */
const MARK = 43.2179;
const SOON = { timeout: 30_000, interval: 100 };
const COMMENT = "the farmer's own comment 7f3a";
const Named = Type.Array(
  Type.Object({ id: Type.Union([Type.String(), Type.Number()]), name: Type.String() }),
);

/** A forged message. */
type Said = { readonly t: string } & Readonly<Record<string, unknown>>;

describe("a second account that requests everything of the first", () => {
  let cluster: Cluster;
  let farmer: SignedIn;
  let neighbor: SignedIn;
  let copy: LiveCopy;
  let names: Names;
  let secrets: string[];

  const at = (index: number): string => cluster.nodes[index % cluster.nodes.length]?.url ?? "";
  const json = async (account: SignedIn, path: string): Promise<unknown> => (await account.get(path)).json();
  /** Everything that an account sees of itself, by name. */
  const wordsFor = async (account: SignedIn): Promise<Set<string>> => {
    const words = new Set<string>();
    const paths = [
      accountInfo.path,
      clusterList.path,
      sensorList.path,
      controllerList.path,
      notificationList.path,
    ];
    for (const path of paths) wordsOf(await json(account, path), words);
    return words;
  };
  /** State of the first account that must be the same after all of the neighbor's requests. */
  const standing = async () => {
    const sensors = (await farmer.sensors()).map(({ id, name }) => [id, name]);
    const controllers = (await farmer.controllers()).map(({ id, name }) => [id, name]);
    const farms = (await read(await farmer.get(clusterList.path), Named)).map(({ id, name }) => [id, name]);
    const { commands } = Object(await json(farmer, relayPath.commands));
    const by = Array.isArray(commands) ? commands.map((one) => [Object(one).id, Object(one).by]) : [];
    const alarms = (await read(await farmer.get(relayPath.alarms), AlarmPage)).content;
    // Alarms start and end by themselves, and an acknowledged one leaves with its end.
    const answered = alarms.filter(({ ack, snooze }) => ack !== null || snooze !== null);
    const answers = answered.map(({ id, ack, snooze }) => [id, ack, snooze]);
    return { sensors, controllers, farms, by, answers, settings: await json(farmer, relayPath.settings) };
  };

  let before: Awaited<ReturnType<typeof standing>>;

  beforeAll(async () => {
    cluster = await startCluster(2);
    [farmer, neighbor] = await Promise.all([signIn(at(0), "farmer"), signIn(at(1), "neighbor")]);
    copy = createLiveCopy();
    await copy.connect(at(0), farmer.token);
    // A low battery raises an alarm.
    const message = { moisture: MARK, battery: 8, at: new Date(Date.now() + 30_000).toISOString() };
    await publishAsDevice(cluster, SOIL_SERIAL, JSON.stringify(message));
    const seen = (): string => JSON.stringify([...copy.state.values()]);
    await vi.waitFor(() => expect(seen()).toContain(String(MARK)), SOON);

    const [sensors, controllers] = [await farmer.sensors(), await farmer.controllers()];
    const valve = controllers.find(({ type }) => type === "CON04V");
    const commandId = "the-farmers-own-command-1";
    const closed = await farmer.post(
      controllerCommand.path,
      { uuid: valve?.id, command: "onoff", deviceType: "controller", channel: 1, payload: 2 },
      { "idempotency-key": commandId },
    );
    expect(closed.status).toBe(200);
    const [alarm] = await vi.waitFor(() => {
      const alarms = [...copy.state.keys()].filter((key) => key.startsWith("alarm:"));
      if (alarms.length === 0) throw new Error("no alarm yet");
      return alarms.map((key) => key.slice("alarm:".length));
    }, SOON);
    const acknowledged = await farmer.post(relayPath.acknowledgeAlarm(alarm ?? ""), { comment: COMMENT });
    expect(acknowledged.status).toBe(200);
    const page = await read(await farmer.get(relayPath.alarms), AlarmPage);
    names = {
      sensors: sensors.map(({ id }) => String(id)),
      controllers: controllers.map(({ id }) => String(id)),
      serials: [...sensors, ...controllers].map(({ serial }) => String(serial)),
      channels: controllers.flatMap(({ channels }) => (channels ?? []).map(({ id }) => String(id))),
      farms: (await read(await farmer.get(clusterList.path), Named)).map(({ id }) => String(id)),
      alarms: page.content.map(({ id }) => id),
      commands: [commandId],
      accountId: String(sensors[0]?.userId),
    };
    const [mine, theirs] = [await wordsFor(farmer), await wordsFor(neighbor)];
    const asked = new Set(Object.values(names).flat());
    // "2동 토양수분" is not secret, because the neighbor has a "하우스 2동 토양수분".
    const isTheirs = (word: string): boolean => [...theirs].some((own) => own.includes(word));
    // Instants are not secret: messages of two accounts share whole seconds.
    const isInstant = (word: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(word);
    secrets = [...mine].filter((word) => !isTheirs(word) && !asked.has(word) && !isInstant(word));
    secrets.push(String(MARK), COMMENT);
    before = await standing();
  });
  afterAll(async () => {
    copy?.disconnect();
    await cluster?.close();
  });

  const leaksIn = (text: string): string[] => secrets.filter((secret) => text.includes(secret));

  it("[HS-2] has names, addresses, serials and readings to leak", async () => {
    expect(secrets.length).toBeGreaterThan(50);
    const seen = JSON.stringify([...copy.state]) + JSON.stringify(await json(farmer, accountInfo.path));
    expect(leaksIn(seen).length).toBeGreaterThan(50);
    for (const [kind, known] of Object.entries(names)) expect([kind, known.length > 0]).toEqual([kind, true]);
  });

  it(`[HS-2] ${REQUESTS} requests with the first account's names get no byte of it and change nothing (seed ${SEED})`, async () => {
    const requests = fc.sample(foreignRequests(names), { numRuns: REQUESTS, seed: SEED });
    const statuses = new Map<number, number>();
    const leaks: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < requests.length; index = next++) {
        const request = requests[index];
        if (!request) return;
        const { method, path, body, headers } = request;
        const response = await fetch(at(index) + path, {
          method,
          headers: {
            authorization: `Bearer ${neighbor.token}`,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const received = `${JSON.stringify([...response.headers])}${await response.text()}`;
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (leaksIn(received).length > 0)
          leaks.push({ request, found: leaksIn(received), received: received.slice(0, 500) });
        if (response.status >= 500)
          leaks.push({ request, status: response.status, received: received.slice(0, 500) });
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, work));
    console.info(`answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(leaks).toEqual([]);
    // Requests without foreign names, or with the neighbor's own, are answered: the fuzz does reach the
    // routes.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(100);
    expect(statuses.get(404) ?? 0).toBeGreaterThan(100);
    const after = await standing();
    expect(before.answers).toEqual(expect.arrayContaining(after.answers));
    expect({ ...after, answers: [] }).toEqual({ ...before, answers: [] });
  });

  it(`[HS-2] ${FRAMES} frames with the first account's keys and positions get no byte of it (seed ${SEED})`, async () => {
    const keys = [...copy.state.keys()];
    const position = fc.record({
      epoch: fc.constantFrom(copy.position?.epoch ?? "", "another"),
      offset: fc.nat({ max: copy.position?.offset ?? 0 }),
    });
    const subscribe = fc.record(
      {
        t: fc.constant("subscribe"),
        stream: fc.constantFrom("devices", "events", "fleet", `devices:${names.accountId}`, names.accountId),
        position,
        track: fc.array(fc.constantFrom(...keys), { maxLength: 30 }),
        as: fc.constant(names.accountId),
        account: fc.constant(names.accountId),
      },
      { requiredKeys: ["t", "stream"] },
    );
    const story = fc.array(subscribe, { minLength: 1, maxLength: 15, size: "max" });
    let frames = 0;
    let received = 0;
    const leaks: unknown[] = [];
    for (const [index, messages] of fc.sample(story, { numRuns: FRAMES, seed: SEED }).entries()) {
      if (frames >= FRAMES) break;
      frames += messages.length;
      const plain = index % 2 === 0;
      const text = await tell(at(index >> 1), plain, [
        { t: "hello", protocol: PROTOCOL, token: neighbor.token },
        ...messages,
      ]);
      received += text.length;
      const found = leaksIn(text);
      for (const key of keys) if (text.includes(`"${key}"`)) found.push(key);
      if (found.length > 0) leaks.push({ messages, found });
    }
    expect(leaks).toEqual([]);
    expect(received).toBeGreaterThan(FRAMES * 100);
    expect(copy.broken).toEqual([]);
  });

  /** Send all frames over one transport, and return everything received until the last one was answered. */
  async function tell(url: string, plain: boolean, messages: readonly Said[]): Promise<string> {
    const path = plain ? relayPath.webSocket : `${relayPath.socketIo}?EIO=4&transport=websocket`;
    const socket = new WebSocket(url.replace(/^http/, "ws") + path);
    const spell = (message: Said): string =>
      plain ? JSON.stringify(message) : `42${JSON.stringify([message.t, message])}`;
    let text = "";
    // A second hello is answered by an error that names it; it is the last frame.
    const last = { t: "hello", protocol: PROTOCOL, token: neighbor.token };
    const say = (): void => {
      for (const message of [...messages, last]) socket.send(spell(message));
    };
    socket.on("open", () => (plain ? say() : socket.send("40")));
    socket.on("error", () => socket.terminate());
    return new Promise((resolve) => {
      socket.on("message", (data) => {
        const frame = data.toString();
        text += frame;
        if (!plain && frame.startsWith("40")) say();
        if (frame.includes('"ref":"hello"')) socket.close();
      });
      socket.on("close", () => resolve(text));
    });
  }
});
