import { connect, type Socket } from "node:net";
import { cotLog } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorList, sensorUpdate } from "@mulkko/shared/rest/operations/sensors";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildFakeAccount } from "../../../testing/fake-farm-api.ts";
import { type RelayHarness, startRelayHarness } from "../../../testing/relay-harness.ts";
import { CALL_POOLS } from "./pools.ts";

/** The attacker's address; all others are at 127.0.0.1. */
const ELSEWHERE = "127.0.0.2";
const LARGE = 8 * 1024 * 1024;
const PHOTO = 6 * 1024 * 1024;
const WAIT = { timeout: 40_000, interval: 100 };

const neighbor = buildFakeAccount({
  account: buildAccount({ id: "neighbor", username: "neighbor" }),
  token: "token-neighbor",
});
const farmer = buildFakeAccount({ cotLogs: new Map([["valves/1", [{ text: "x".repeat(LARGE) }]]]) });
const LOG = pathTo(cotLog, { id: "valves", channel: 1, start: "2026-11-01 00:00", end: "2026-11-02 00:00" });

describe("an attack from one address", () => {
  let harness: RelayHarness;
  let sockets: { readonly socket: Socket; status: number | null }[] = [];
  beforeAll(async () => {
    harness = await startRelayHarness(farmer, {}, (api) => api.accounts.push(neighbor));
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    sockets = [];
  });
  afterEach(async () => {
    harness.api.hold = null;
    for (const { socket } of sockets) socket.destroy();
    await expect.poll(() => taken(), WAIT).toBe(0);
  });

  const taken = async (): Promise<number> => {
    const text = await (await harness.call("GET", "/metrics")).text();
    return [...text.matchAll(/^mulkko_relay_places_taken\{.*\} (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };
  /** Send text on a connection of its own, and read no more than the status, if that. */
  function send(text: string | Buffer, isDeaf = false): void {
    const { hostname, port } = new URL(harness.origin);
    const socket = connect({ host: hostname, port: Number(port), localAddress: ELSEWHERE });
    const entry: (typeof sockets)[number] = { socket, status: null };
    socket.on("error", () => undefined);
    if (isDeaf) socket.pause();
    else
      socket.on("data", (chunk) => {
        entry.status ??= Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
      });
    socket.write(text);
    sockets.push(entry);
  }
  const head = (method: string, path: string, token: string | null, more = ""): string =>
    `${method} ${path} HTTP/1.1\r\nhost: a\r\n${token === null ? "" : `authorization: Bearer ${token}\r\n`}${more}\r\n`;
  const count = (status: number): number => sockets.filter((one) => one.status === status).length;
  const neighborsList = async (): Promise<number> =>
    (await harness.call("GET", sensorList.path, undefined, neighbor.token)).status;
  const neighborsWrite = async (): Promise<number> =>
    // The fake API knows no such call: 404 is its own answer.
    (await harness.call("PUT", pathTo(sensorUpdate, { id: "1" }), { name: "x" }, neighbor.token)).status;

  it("[SHARE-1] by answers that an account does not take leaves the others' calls alone", async () => {
    for (let n = 0; n < 40; n += 1) send(head("GET", LOG, farmer.token), true);
    const asked = () => harness.api.calls.filter(({ path }) => path === LOG).length;
    await expect.poll(asked, WAIT).toBe(CALL_POOLS.account.each);
    for (let n = 0; n < 5; n += 1) expect(await neighborsList()).toBe(200);
    expect(asked()).toBe(CALL_POOLS.account.each);
  });

  it("[SHARE-2] by pipelined calls without an account asks the farm API for one a connection", async () => {
    let release: () => void = () => undefined;
    harness.api.hold = new Promise((resolve) => {
      release = resolve;
    });
    const path = "/api/openapi.json";
    for (let n = 0; n < 8; n += 1) send(head("GET", path, null).repeat(12));
    const asked = () => harness.api.calls.filter((call) => call.path === path).length;
    await expect.poll(asked, WAIT).toBe(8);
    const list = neighborsList();
    await expect.poll(() => harness.api.calls.at(-1)?.path, WAIT).toBe(sensorList.path);
    expect(asked()).toBe(8);
    release();
    expect(await list).toBe(200);
    await expect.poll(asked, WAIT).toBe(8 * 12);
  });

  it("[SHARE-4] by photos without a token that are held back is refused before they are read", async () => {
    const photo = `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${PHOTO}\r\n`;
    for (let n = 0; n < 16; n += 1)
      send(
        Buffer.concat([
          Buffer.from(head("POST", "/api/account/update/image", null, photo)),
          Buffer.alloc(PHOTO - 1),
        ]),
      );
    await expect.poll(() => count(401), WAIT).toBe(16);
    expect(await neighborsWrite()).toBe(404);
  });

  it("[SHARE-4] by photos of an account that are held back leaves room, and they end after ten seconds", async () => {
    const photo = `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${PHOTO}\r\n`;
    for (let n = 0; n < 16; n += 1)
      send(
        Buffer.concat([
          Buffer.from(head("POST", "/api/account/update/image", farmer.token, photo)),
          Buffer.alloc(PHOTO - 1),
        ]),
      );
    await expect.poll(async () => (await taken()) >= 2 * PHOTO, WAIT).toBe(true);
    for (let n = 0; n < 5; n += 1) expect(await neighborsWrite()).toBe(404);
    await expect.poll(() => count(408) + count(429), WAIT).toBe(16);
    expect(count(408)).toBeGreaterThanOrEqual(2);
    expect(harness.api.calls.filter(({ path }) => path.endsWith("/image"))).toEqual([]);
  });
});
