import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROTOCOL } from "@mulkko/shared/live/limits";
import { ServerMessage } from "@mulkko/shared/live/server-messages";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parseJson } from "@mulkko/shared/schema/parse";
import { freePort } from "@mulkko/testing/engines/free-port";
import { type PlainApi, startPlainApi } from "@mulkko/testing/stack/plain-api";
import { createService, type Service } from "@mulkko/testing/stack/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

const CLIENTS = 5_000;
const ACCOUNTS = 10;
/** Maximum number of connections of one address. */
const PER_ADDRESS = 500;
/** A fast machine takes seconds; a busy one must accept all of them as well. */
const ALL = { timeout: 110_000, interval: 250 };

interface Client {
  readonly socket: WebSocket;
  snapshots: number;
  /** Last received moisture of the account's only sensor. */
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

  it("[SUB-2] all receive their farm, and no connection is lost", async () => {
    // One of each account first: the farm API shares this process, which is busy with the other clients.
    for (let n = 0; n < ACCOUNTS; n += 1) enter(n);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 30).length, ALL).toBe(ACCOUNTS);
    for (let n = ACCOUNTS; n < CLIENTS; n += 1) enter(n);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 30).length, ALL).toBe(CLIENTS);
    expect(gone()).toBe(0);
    expect(clients.every(({ snapshots }) => snapshots === 1)).toBe(true);
  });

  it("[AUTH-3] the farm API is asked once about each token, for any number of connections", () => {
    expect(api.asked.get(accountInfo.path)).toBe(ACCOUNTS);
  });

  it("[SUB-6] the next reading reaches every one of them, and no connection is lost", async () => {
    api.measure(31);
    await expect.poll(() => clients.filter(({ moisture }) => moisture === 31).length, ALL).toBe(CLIENTS);
    expect(gone()).toBe(0);
    expect(clients.every(({ snapshots }) => snapshots === 1)).toBe(true);
  });
});
