import { connect, type Socket } from "node:net";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

let harness: RelayHarness;
let sockets: Slow[] = [];
const lines: string[] = [];
beforeAll(async () => {
  const logStream = { write: (line: string) => void lines.push(line) };
  harness = await startRelayHarness(undefined, { LOG_LEVEL: "info" }, undefined, { logStream });
});
afterAll(() => harness.close());
afterEach(() => {
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
});

interface Slow {
  readonly socket: Socket;
  received: string;
  closed: boolean;
}

const portOf = (): number => Number(new URL(harness.origin).port);

/** Begin a request without completing it. */
function begin(head: string): Slow {
  const slow: Slow = { socket: connect(portOf(), "127.0.0.1"), received: "", closed: false };
  slow.socket.on("data", (chunk) => {
    slow.received += String(chunk);
  });
  slow.socket
    .on("error", () => undefined)
    .on("close", () => {
      slow.closed = true;
    });
  slow.socket.write(head);
  sockets.push(slow);
  return slow;
}

const post = (path: string): Slow =>
  begin(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n{`,
  );

const list = async (): Promise<number> => {
  const answer = await fetch(harness.origin + sensorList.path, {
    headers: { authorization: "Bearer token-farmer" },
    signal: AbortSignal.timeout(3_000),
  });
  return answer.status;
};
const open = (): number => sockets.filter(({ closed }) => !closed).length;
const WAIT = { timeout: 20_000, interval: 100 };

const answered = (status: number): number =>
  sockets.filter(({ received }) => received.startsWith(`HTTP/1.1 ${status}`)).length;

test("[SHARE-4] two hundred slow bodies of an address hold its share of the room, and no connection to the farm API", async () => {
  for (let count = 0; count < 200; count += 1) post("/api/account/recover");
  expect(await list()).toBe(200);
  // Ten bodies of 50 kB have room, and sixteen wait.
  await expect.poll(() => answered(429), WAIT).toBeGreaterThanOrEqual(174);
  expect(await list()).toBe(200);
  await expect.poll(() => answered(429), WAIT).toBe(190);
  await expect.poll(open, WAIT).toBe(0);
  expect(answered(408)).toBe(10);
  // None of them has reached the farm API.
  expect(harness.api.calls.filter(({ path }) => path.includes("recover"))).toEqual([]);
});

test("[slow] the relay's own routes read no slow body either, and headers have a limit of ten seconds", async () => {
  const login = post(accountLogin.path);
  const settings = post("/relay/settings");
  const headers = begin("GET /relay/config HTTP/1.1\r\nHost: x\r\n");
  await expect.poll(() => login.closed && settings.closed, WAIT).toBe(true);
  await expect.poll(() => headers.closed, WAIT).toBe(true);
  expect(headers.received).toMatch(/^HTTP\/1\.1 408/);
});

const ENDS: Readonly<Record<string, (socket: Socket) => void>> = {
  "its end": (socket) => void socket.end(),
  "a reset": (socket) => void socket.resetAndDestroy(),
  silence: () => undefined,
};
const ROUTES = ["/api/account/recover", accountLogin.path, "/relay/settings", "/api/account/update/image"];

test.each(Object.keys(ENDS))(
  "[slow] a body cut by %s is no fault of the relay, on any route",
  async (way) => {
    const before = lines.length;
    const cut = ROUTES.map((path) => post(path));
    await expect.poll(() => cut.every(({ socket }) => !socket.connecting)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const { socket } of cut) ENDS[way]?.(socket);
    await expect.poll(() => cut.every(({ closed }) => closed), WAIT).toBe(true);
    expect(await list()).toBe(200);
    const faults = lines.slice(before).filter((line) => /"level":[56]0/.test(line));
    expect(faults).toEqual([]);
  },
);

test("[slow] a body of sufficient speed is accepted, however many others the address sends", async () => {
  const body = JSON.stringify({ email: "x".repeat(60_000) });
  const head = `POST /api/account/recover HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const flowing = begin(head);
  for (let at = 0; at < body.length; at += 7_500) {
    flowing.socket.write(body.slice(at, at + 7_500));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await expect.poll(() => flowing.received, WAIT).not.toBe("");
  expect(flowing.received).not.toMatch(/^HTTP\/1\.1 408/);
  expect(harness.api.calls.at(-1)?.path).toBe("/api/account/recover");
});
