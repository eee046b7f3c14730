import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { eventually } from "@mulkko/shared/testing/eventually";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Arrivals, isGone, watchArrivals } from "./arrivals.ts";

let clock: FakeClock;
let timers: FakeTimers;
let server: Server;
let arrivals: Arrivals;
let socket: Socket;
/** ms between a request's arrival and its handler, one each. */
let ages: number[];
let goneAfterwards: boolean[];
let answer: () => void;
let peer: Socket | undefined;

beforeEach(async () => {
  clock = createFakeClock();
  timers = createFakeTimers(clock);
  ages = [];
  goneAfterwards = [];
  server = createServer((request, response) => {
    ages.push(clock.monotonic() - arrivals.of(request));
    answer = () => {
      goneAfterwards.push(isGone(request));
      response.end("x");
    };
    if (request.url === "/now") answer();
  });
  arrivals = watchArrivals(server, clock, timers);
  server.on("connection", (accepted) => {
    peer = accepted;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  socket = connect(address.port, "127.0.0.1");
  await once(server, "connection");
});
afterEach(async () => {
  socket.destroy();
  arrivals.close();
  server.close();
});

const HEAD = "GET /now HTTP/1.1\r\nHost: relay\r\n\r\n";
const HELD = HEAD.replace("/now", "/held");

/** Send, and wait until the server's side has received it. */
async function send(text: string): Promise<void> {
  const before = peer?.bytesRead ?? 0;
  socket.write(text);
  await eventually(() => expect(peer?.bytesRead).toBe(before + text.length));
}

test("[CMD-10] a request counts from its first byte, and the next one on the connection from its own", async () => {
  await send(HEAD.slice(0, 10));
  timers.advance(9_000);
  await send(HEAD.slice(10));
  await eventually(() => expect(ages).toEqual([9_000]));
  await eventually(() => expect(socket.bytesRead).toBeGreaterThan(0));
  timers.advance(60_000);
  await send(HEAD);
  await eventually(() => expect(ages).toEqual([9_000, 0]));
});

test("[CMD-10] bytes read after a stop of the process count from its last read", async () => {
  await send(HEAD);
  // As under SIGSTOP: time passes, and no timer runs.
  clock.advance(40_000);
  await send(HEAD);
  timers.advance(200);
  await send(HEAD);
  timers.advance(2_000);
  await send(HEAD);
  await eventually(() => expect(ages).toHaveLength(4));
  const [before = 0, stopped = 0, catchingUp = 0, after = 0] = ages;
  expect([before, after]).toEqual([0, 0]);
  expect(stopped).toBeGreaterThanOrEqual(40_000);
  expect(catchingUp).toBeGreaterThanOrEqual(40_000);
});

test("[CMD-10] a sender that has disconnected is detected", async () => {
  await send(HELD);
  answer();
  await send(HELD);
  socket.end();
  await eventually(() => expect(peer?.readableEnded).toBe(true));
  answer();
  expect(goneAfterwards).toEqual([false, true]);
});
