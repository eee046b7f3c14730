import { connect, type Socket } from "node:net";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

/** A farmer's list must arrive within this time beside the slow bodies, ms. */
const LIST_WITHIN_MS = 8_000;
/** One byte each, as the slowest live client might send. */
const DRIP_EVERY_MS = 5_000;

describe("a client without an account that sends bodies slowly", () => {
  let stack: Stack;
  let farmer: SignedIn;
  let sockets: Socket[] = [];
  let drip: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    stack = await startStack();
    farmer = await signIn(stack.url, "farmer");
  });
  afterEach(() => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });
  afterAll(() => stack?.close());

  const send = (count: number): void => {
    const { hostname, port } = new URL(stack.url);
    const head = `POST /api/account/recover HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
    for (let index = 0; index < count; index += 1) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => undefined).resume();
      socket.write(head);
      sockets.push(socket);
    }
    drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(" ");
    }, DRIP_EVERY_MS);
  };
  const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;

  it.each([200, 1_500])("[slow] %i slow bodies delay no list, and end", async (count) => {
    send(count);
    const took: number[] = [];
    for (let look = 0; look < 10; look += 1) {
      const began = performance.now();
      expect((await farmer.sensors()).length).toBeGreaterThan(0);
      took.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(Math.max(...took)).toBeLessThan(LIST_WITHIN_MS);
    expect((await farmer.get(controllerList.path)).status).toBe(200);
    await expect.poll(open, { timeout: 30_000 }).toBe(0);
  });
});
