import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../src/engines/free-port.ts";
import { type PlainApi, startPlainApi } from "../src/stack/plain-api.ts";
import { createService, type Service } from "../src/stack/service.ts";

const CLIENTS = 5_000;
const ACCOUNTS = 10;
/** An address may have 500 connections. */
const PER_ADDRESS = 500;
/** A quick machine takes seconds; a busy one has to take them all as well. */
const ALL = { timeout: 110_000, interval: 250 };

interface Client {
  readonly socket: WebSocket;
  snapshots: number;
  /** The moisture of its one sensor, as it was told last. */
  moisture: unknown;
  closed: number | null;
}

const moistureIn = (values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): unknown => {
  const reading = Object.values(values).find((value) => "reading" in value)?.reading;
  return typeof reading === "object" && reading !== null && "moisture" in reading
    ? reading.moisture
    : undefined;
};

describe("5,000 clients at once", () => {
  let api: PlainApi;
  let relay: Service;
  let folder: string;
  let url: string;
  const clients: Client[] = [];
  beforeAll(async () => {
    api = await startPlainApi(ACCOUNTS);
    folder = await mkdtemp(join(tmpdir(), "mulkko-many-"));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    relay = createService({
      name: "relay",
      script: resolve(import.meta.dirname, "../../relay/src/main.ts"),
      env: {
        API_URL: api.url,
        PORT: String(port),
        DATA_DIR: folder,
        RELAY_MQTT_URL: "off",
        LOG_LEVEL: "warn",
        POLL_LIST_MS: "2000",
      },
      healthUrl: `${url}${relayPath.health}`,
      startTimeoutMs: 60_000,
    });
    await relay.start();
  });
  afterAll(async () => {
    for (const { socket } of clients) socket.terminate();
    await relay?.stop();
    await api?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  function enter(n: number): void {
    const localAddress = `127.0.0.${2 + Math.floor(n / PER_ADDRESS)}`;
    const socket = new WebSocket(url.replace(/^http/, "ws") + relayPath.webSocket, {
      localAddress,
      perMessageDeflate: false,
    });
    const client: Client = { socket, snapshots: 0, moisture: undefined, closed: null };
    clients.push(client);
    socket.on("error", () => undefined);
    socket.on("close", (code) => {
      client.closed = code;
    });
    socket.on("open", () => {
      socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL, token: api.tokens[n % ACCOUNTS] }));
      socket.send(JSON.stringify({ t: "subscribe", stream: "devices" }));
    });
    socket.on("message", (raw) => {
      const message = parseJson(ServerMessage, raw.toString());
      if (!message.ok) throw new Error(`a frame breaks the contract: ${message.path} ${message.message}`);
      const { value } = message;
      if (value.t === "snapshot" && value.part === value.of) client.snapshots += 1;
      const values =
        value.t === "snapshot" && !Array.isArray(value.state)
          ? value.state
          : value.t === "change"
            ? { ...value.set, ...value.patch }
            : {};
      client.moisture = moistureIn(values) ?? client.moisture;
    });
  }
  const gone = (): number => clients.filter(({ closed }) => closed !== null).length;

  it("[SUB-2] all get their farm, and none is lost", async () => {
    // One of each account first: the farm API lives in this process, which has its hands full with the others.
    for (let n = 0; n < ACCOUNTS; n += 1) enter(n);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 30).length, ALL).toBe(ACCOUNTS);
    for (let n = ACCOUNTS; n < CLIENTS; n += 1) enter(n);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 30).length, ALL).toBe(CLIENTS);
    expect(gone()).toBe(0);
    expect(clients.every(({ snapshots }) => snapshots === 1)).toBe(true);
  });

  it("[AUTH-3] the farm API was asked once about each token, however many bore it", () => {
    expect(api.asked.get(apiPath.accountInfo)).toBe(ACCOUNTS);
  });

  it("[SUB-6] what is measured next reaches every one of them, and still none is lost", async () => {
    api.measure(31);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 31).length, ALL).toBe(CLIENTS);
    expect(gone()).toBe(0);
    expect(clients.every(({ snapshots }) => snapshots === 1)).toBe(true);
  });
});
