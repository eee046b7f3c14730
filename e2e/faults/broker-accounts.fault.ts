import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type EngineProcess, startEngineProcess } from "@mulkko/testing/engines/engine-process";
import { freePort } from "@mulkko/testing/engines/free-port";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const OPS = resolve(import.meta.dirname, "../../ops/mosquitto");
const PASSWORDS = {
  api: "the api's password",
  relay: "the-relay-key-0123456789",
  "24110101": "k1",
  "24110102": "k2",
};
type User = keyof typeof PASSWORDS;

/** The broker of `docker-compose.yml` as a process: its own start script, accounts and topics. */
describe("the broker of ops/mosquitto", () => {
  let folder: string;
  let port: number;
  let broker: EngineProcess;
  const clients: MqttClient[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mulkko-broker-"));
    port = await freePort();
    const at = (name: string): string => join(folder, name);
    const config = (await readFile(join(OPS, "mosquitto.conf"), "utf8"))
      .replace("listener 1883", `listener ${port} 127.0.0.1`)
      .replace("/run/mosquitto/passwords", at("passwords"))
      .replace("/mosquitto/config/acl", join(OPS, "acl"))
      .replace("/mosquitto/data/", `${folder}/`);
    // Started as root, it would switch to a user that may not read this folder.
    await writeFile(at("mosquitto.conf"), `user root\n${config}`);
    await writeFile(at("devices"), "");
    for (const serial of ["24110101", "24110102"] as const)
      await promisify(execFile)("mosquitto_passwd", ["-b", at("devices"), serial, PASSWORDS[serial]]);
    broker = await startEngineProcess({
      file: "/bin/sh",
      args: [join(OPS, "start.sh")],
      ready: /mosquitto version \S+ running/,
      stopSignal: "SIGTERM",
      env: {
        MQTT_API_PASSWORD: PASSWORDS.api,
        RELAY_KEY: PASSWORDS.relay,
        PASSWORDS: at("passwords"),
        CONFIG: at("mosquitto.conf"),
        DEVICES: at("devices"),
      },
    });
  });
  afterAll(async () => {
    for (const client of clients) client.end(true);
    await broker?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A client of this user that records the topics of its messages. */
  const connect = async (username: User, password: string = PASSWORDS[username]) => {
    const url = `mqtt://127.0.0.1:${port}`;
    const client = await connectAsync(url, { username, password, reconnectPeriod: 0 });
    clients.push(client);
    const received: string[] = [];
    client.on("message", (topic) => received.push(topic));
    await client.subscribeAsync("#", { qos: 1 });
    return { client, received };
  };

  it("[broker] lets each user publish and receive only its own topics", async () => {
    const api = await connect("api");
    const relay = await connect("relay");
    const device = await connect("24110101");
    const other = await connect("24110102");
    const say = (client: MqttClient, topic: string) => client.publishAsync(topic, "x", { qos: 1 });
    await say(other.client, "mulkko/24110101/up");
    await say(device.client, "mulkko/out/1/sensor/1");
    await say(relay.client, "mulkko/24110101/ch/1/cmd/onoff");
    await say(relay.client, "mulkko/out/1/sensor/1");
    await say(device.client, "mulkko/24110101/up");
    await say(device.client, "mulkko/24110101/ch/1/state");
    await say(api.client, "mulkko/24110101/ch/1/cmd/onoff");
    await say(api.client, "mulkko/out/1/changed");
    await expect
      .poll(() => [api.received, relay.received, device.received])
      .toEqual([
        [
          "mulkko/24110101/up",
          "mulkko/24110101/ch/1/state",
          "mulkko/24110101/ch/1/cmd/onoff",
          "mulkko/out/1/changed",
        ],
        ["mulkko/out/1/changed"],
        ["mulkko/24110101/ch/1/cmd/onoff"],
      ]);
    expect(other.received).toEqual([]);
  });

  it("[broker] refuses a user without a password", async () => {
    await expect(connect("24110101", PASSWORDS["24110102"])).rejects.toThrow();
    await expect(connect("relay", "")).rejects.toThrow();
  });
});
