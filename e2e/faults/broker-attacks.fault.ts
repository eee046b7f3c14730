import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { topic } from "@mulkko/shared/mqtt/topics";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { deviceKey } from "@mulkko/testing/stack/device-keys";
import { createLiveCopy, type LiveCopy } from "@mulkko/testing/stack/live-copy";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openRaw, type RawUser, raw } from "@mulkko/testing/stack/raw-mqtt";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

const SOIL = 24110101;
const SENSORS = Array.from({ length: 13 }, (_, index) => SOIL + index);
const SOON = { timeout: 15_000, interval: 200 };
const FIRST_NEW = 25_000_001;
const NEW_DEVICES = 2_000;
const Ready = Type.Object({ ready: Type.Boolean(), broker: Type.Boolean() });

/** The holder of one device's key, or a stopped relay, against all other clients. */
describe("the API's own broker under attack", () => {
  let stack: Stack;
  let neighbor: SignedIn;
  let copy: LiveCopy;
  let valve: string;
  let soil: RawUser;
  let pid: number | undefined;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    stack = await startStack({ MAX_DEVICES: "5000" });
    neighbor = await signIn(stack.url, "neighbor");
    valve = String((await neighbor.controllers()).find(({ channels }) => (channels ?? []).length > 0)?.id);
    soil = await user(SOIL);
  });
  afterAll(async () => {
    await stack?.close();
  });
  beforeEach(async () => {
    if (!stack.api.running()) await stack.api.start();
    pid = stack.api.pid();
    copy = createLiveCopy();
    await copy.connect(stack.url, neighbor.token);
    await expect.poll(onoff, SOON).toBe(2);
  });
  afterEach(() => {
    copy.disconnect();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const user = async (serial: number): Promise<RawUser> => ({
    username: String(serial),
    password: await deviceKey(stack.dataDir, serial),
  });
  let names = 0;
  async function enter(who: RawUser, will?: { topic: string; payload: string }): Promise<Socket> {
    names += 1;
    const socket = await openRaw(stack.mqttPort, raw.connect(who, `c${names}`, will));
    sockets.push(socket);
    return socket;
  }
  /** Connect a subscriber that reads its first answer and nothing after it. */
  async function enterSilent(): Promise<Socket> {
    const socket = await enter(soil);
    socket.write(raw.subscribe([`mulkko/${SOIL}/#`]));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    return socket;
  }
  async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
    if (socket.destroyed || socket.write(bytes)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("drain", resolve);
    socket.once("close", () => resolve());
    await promise;
  }
  function onoff(): unknown {
    return [...copy.state.values()].find((value) => value.controllerId === valve && value.number === 1)
      ?.onoff;
  }
  const press = (payload: 1 | 2): Promise<Response> =>
    neighbor.post(controllerCommand.path, {
      uuid: valve,
      command: "onoff",
      channel: 1,
      payload,
      ...(payload === 1 && { maxRunSeconds: 120 }),
    });
  /** Open and close a valve of another account, as in normal use. */
  async function expectOthersUnharmed(): Promise<void> {
    await expectAlive();
    // A relay that was stopped first refuses what it cannot know.
    await expect.poll(async () => (await press(1)).status, SOON).toBe(200);
    await expect.poll(onoff, SOON).toBe(1);
    expect((await press(2)).status).toBe(200);
    await expect.poll(onoff, SOON).toBe(2);
    await expectAlive();
  }
  async function expectAlive(): Promise<void> {
    expect([stack.api.running(), stack.api.pid()]).toEqual([true, pid]);
    const ready = async () => (await read(await fetch(`${stack.apiUrl}/ready`), Ready)).broker;
    await expect.poll(ready, SOON).toBe(true);
  }
  const memory = async (): Promise<number> => {
    const status = await readFile(`/proc/${stack.api.pid()}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  };

  it("[broker] delays no valve of another account for a subscriber that does not read", async () => {
    await enterSilent();
    const publisher = await enter(soil);
    publisher.resume();
    for (const size of [100_000, 60_000]) {
      for (let n = 0; n < 400; n += 1) {
        await Promise.race([
          write(publisher, raw.publish(topic.up(SOIL), Buffer.alloc(size, 120))),
          sleep(200),
        ]);
      }
    }
    await expectOthersUnharmed();
  });

  it("[broker] keeps the API alive at the end of a subscriber with thousands of waiting messages", async () => {
    const silent = await enterSilent();
    const publisher = await enter(soil);
    publisher.resume();
    const big = raw.publish(topic.up(SOIL), Buffer.alloc(60_000, 120));
    for (let n = 0; n < 400; n += 1) await Promise.race([write(publisher, big), sleep(100)]);
    const small = Buffer.concat(Array.from({ length: 250 }, () => raw.publish(topic.status(SOIL), "on")));
    for (let n = 0; n < 100; n += 1) (await enter(soil)).write(small);
    await sleep(3_000);
    silent.destroy();
    await sleep(3_000);
    await expectOthersUnharmed();
  });

  it("[broker] delays no other client for 50,000 messages in one write", async () => {
    const socket = await enter(soil);
    socket.resume();
    const one = raw.publish(topic.up(SOIL), '{"moisture":31}');
    socket.write(Buffer.concat(Array.from({ length: 50_000 }, () => one)));
    await sleep(1_000);
    await expectOthersUnharmed();
  });

  it("[broker] refuses 20,000 filters of one device without using memory", async () => {
    const socket = await enter(soil);
    const before = await memory();
    let granted = 0;
    socket.on("data", (bytes: Buffer) => {
      // Grants are 0; refusals are 128. The head and the id of a SUBACK have no zero here.
      granted += bytes.filter((byte) => byte === 0).length;
    });
    for (let n = 0; n < 200; n += 1) {
      const filters = Array.from(
        { length: 100 },
        (_, index) => `mulkko/${SOIL}/${n * 100 + index}${"/a".repeat(87)}`,
      );
      await write(socket, raw.subscribe(filters, 0x0101));
    }
    await sleep(5_000);
    expect(granted).toBe(0);
    expect((await memory()) - before).toBeLessThan(150);
    await expectOthersUnharmed();
  });

  it("[broker] allows one key a few connections, and accepts another device", async () => {
    let open = 0;
    for (let n = 0; n < 1_000; n += 1) {
      const socket = await enter(soil);
      if (socket.destroyed) continue;
      open += 1;
      socket.resume();
      socket.once("close", () => {
        open -= 1;
      });
    }
    await expect.poll(() => open, SOON).toBeLessThanOrEqual(16);
    const [other] = await Promise.all([enter(await user(SENSORS[1] ?? 0)), expectOthersUnharmed()]);
    expect(other.destroyed).toBe(false);
  });

  it("[broker] survives a relay that stops reading under thousands of readings a second", async () => {
    const relay = stack.relay.pid();
    if (relay === undefined) throw new Error("the relay does not run");
    const lines = await Promise.all(
      SENSORS.map(async (serial) => ({ serial, line: await enter(await user(serial)) })),
    );
    for (const { line } of lines) line.resume();
    process.kill(relay, "SIGSTOP");
    const ends = performance.now() + 35_000;
    while (performance.now() < ends) {
      const started = performance.now();
      const now = Date.now();
      for (const { serial, line } of lines) {
        const readings = Array.from({ length: 25 }, (_, index) => {
          const at = new Date(now + index).toISOString();
          return raw.publish(topic.up(serial), JSON.stringify({ at, battery: 60 + index }));
        });
        line.write(Buffer.concat(readings));
      }
      await sleep(Math.max(0, 100 - (performance.now() - started)));
    }
    process.kill(relay, "SIGCONT");
    await expectAlive();
    const mark = 43.21;
    const at = new Date(Date.now() + 60_000).toISOString();
    await publishAsDevice(stack, SOIL, JSON.stringify({ moisture: mark, at }));
    const farmer = await signIn(stack.url, "farmer");
    await expect
      .poll(async () => JSON.stringify(await farmer.sensors()), { timeout: 40_000 })
      .toContain(`${mark}`);
    await expectOthersUnharmed();
  });

  describe("with 2,000 devices more", () => {
    let devices: RawUser[];
    beforeAll(async () => {
      const farmer = await signIn(stack.apiUrl, "farmer");
      const indexes = Array.from({ length: NEW_DEVICES }, (_, index) => index);
      devices = [];
      const register = async (): Promise<void> => {
        for (let index = indexes.pop(); index !== undefined; index = indexes.pop()) {
          const serial = String(FIRST_NEW + index);
          const body = { name: `Sensor ${index}`, serial, deviceType: "SMS" };
          const added = await read(await farmer.post(sensorAdd.path, body), AddedSensor);
          devices.push({ username: serial, password: added.deviceKey });
        }
      };
      await Promise.all(Array.from({ length: 16 }, register));
    }, 300_000);

    const willOf = ({ username }: RawUser) => ({ topic: topic.status(username), payload: "offline" });

    it("[broker] leaves the API and its memory unchanged after 4,000 connections that end at once", async () => {
      const before = await memory();
      const lines = (
        await Promise.all([...devices, ...devices].map((device) => enter(device, willOf(device))))
      ).filter(({ destroyed }) => !destroyed);
      expect(lines).toHaveLength(2 * NEW_DEVICES);
      for (const line of lines) line.destroy();
      await expectOthersUnharmed();
      expect((await memory()) - before).toBeLessThan(300);
    });

    it("[broker] receives 2,000 devices that reconnect three times", async () => {
      for (let round = 1; round <= 3; round += 1) {
        const answers = await Promise.all(
          devices.map(async (device) => {
            const line = await enter(device, willOf(device));
            if (line.destroyed) return false;
            line.write(raw.subscribe([`mulkko/${device.username}/#`]));
            const at = new Date().toISOString();
            line.write(
              raw.publish(topic.up(device.username), JSON.stringify({ at, moisture: 20 + round }), 7),
            );
            const acknowledged = new Promise<boolean>((resolve) => {
              let received = Buffer.alloc(0);
              line.on("data", (bytes) => {
                received = Buffer.concat([received, bytes]);
                if (received.includes(Buffer.of(0x40, 2, 0, 7))) resolve(true);
              });
              line.once("close", () => resolve(false));
            });
            return Promise.race([acknowledged, sleep(60_000, false)]);
          }),
        );
        expect([round, answers.filter(Boolean).length]).toEqual([round, NEW_DEVICES]);
        for (const socket of sockets.splice(0)) socket.destroy();
      }
      await expectOthersUnharmed();
    });
  });
});
