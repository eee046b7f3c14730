import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ProxyTimers, startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

/** Create timers whose portions pass when the test releases them. */
function createHandTimers(): ProxyTimers & { portions(count: number): Promise<void> } {
  let set: (() => void)[] = [];
  return {
    after(_ms, run) {
      set.push(run);
      return {
        cancel() {
          set = set.filter((one) => one !== run);
        },
      };
    },
    async portions(count) {
      for (let n = 0; n < count; n += 1) {
        const due = set;
        set = [];
        for (const run of due) run();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
  };
}

/** Start a server that sends its name to every client, then repeats its input. */
async function startEcho(name: string): Promise<{ url: string; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write(name);
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `tcp://127.0.0.1:${address.port}`, server, sockets };
}

interface Client {
  readonly socket: Socket;
  readonly received: () => string;
  readonly isGone: () => boolean;
}

let echo: Awaited<ReturnType<typeof startEcho>>;
let proxy: TcpProxy;
let timers: ReturnType<typeof createHandTimers>;
let clients: Client[] = [];
beforeEach(async () => {
  echo = await startEcho("one:");
  timers = createHandTimers();
  proxy = await startTcpProxy(echo.url, timers);
});
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  clients = [];
  await proxy.close();
  for (const socket of echo.sockets) socket.destroy();
  echo.server.close();
});

async function enter(): Promise<Client> {
  const socket = connect(proxy.port, "127.0.0.1");
  let received = "";
  let gone = false;
  socket.on("data", (chunk) => {
    received += chunk.toString();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    gone = true;
  });
  await once(socket, "connect");
  const client = { socket, received: () => received, isGone: () => gone };
  clients.push(client);
  return client;
}
/** Long enough for all data that is not held back. */
const meanwhile = () => new Promise((resolve) => setTimeout(resolve, 30));

it("[engines] a proxy passes everything both ways, then the end", async () => {
  const { socket, received, isGone } = await enter();
  socket.end("hello");
  await eventually(() => expect(received()).toBe("one:hello"));
  await eventually(() => expect(isGone()).toBe(true));
  await eventually(() => expect(proxy.open).toBe(0));
});

it("[engines] a throttled proxy passes a number of bytes per second, in order, and the end last", async () => {
  const { socket, received, isGone } = await enter();
  await eventually(() => expect(received()).toBe("one:"));
  proxy.throttle(100);
  const text = "0123456789".repeat(5);
  socket.end(text);
  await meanwhile();
  expect(received()).toBe("one:");
  // Ten bytes a portion, first to the server and then back.
  await timers.portions(3);
  expect(received().length).toBeLessThan("one:".length + 30);
  await eventually(async () => {
    await timers.portions(1);
    expect(received()).toBe(`one:${text}`);
    expect(isGone()).toBe(true);
  });
});

it("[engines] a proxy that swallows keeps connections open, and sends the held data when it passes again", async () => {
  const { socket, received, isGone } = await enter();
  await eventually(() => expect(received()).toBe("one:"));
  proxy.swallow();
  socket.write("lost?");
  const later = await enter();
  await meanwhile();
  expect([received(), later.received(), isGone()]).toEqual(["one:", "", false]);
  proxy.pass();
  await eventually(() => expect([received(), later.received()]).toEqual(["one:lost?", "one:"]));
});

it("[engines] a proxy holds the clients' data, and still passes the server's", async () => {
  const { socket, received } = await enter();
  await eventually(() => expect(received()).toBe("one:"));
  proxy.swallowRequests();
  socket.write("late");
  const later = await enter();
  await eventually(() => expect(later.received()).toBe("one:"));
  await meanwhile();
  expect(received()).toBe("one:");
  proxy.pass();
  await eventually(() => expect(received()).toBe("one:late"));
});

it("[engines] a delayed proxy passes everything later, in order", async () => {
  const { socket, received } = await enter();
  await eventually(() => expect(received()).toBe("one:"));
  proxy.delay(50);
  socket.write("hello");
  await meanwhile();
  // Once on the way to the server, once on the way back.
  await timers.portions(1);
  await meanwhile();
  expect(received()).toBe("one:");
  await timers.portions(1);
  await eventually(() => expect(received()).toBe("one:hello"));
});

it("[engines] one connection's answers can be held until the proxy passes again", async () => {
  const [held, sound] = [await enter(), await enter()];
  held.socket.write("get");
  sound.socket.write("subscribe");
  await eventually(() => expect([held.received(), sound.received()]).toEqual(["one:get", "one:subscribe"]));
  proxy.swallowAnswersOf((sent) => sent.includes("get"));
  held.socket.write("more");
  sound.socket.write("more");
  await eventually(() => expect(sound.received()).toBe("one:subscribemore"));
  await meanwhile();
  expect(held.received()).toBe("one:get");
  proxy.pass();
  await eventually(() => expect(held.received()).toBe("one:getmore"));
});

it("[engines] a deadened connection passes nothing more; others and new ones work", async () => {
  const [dead, sound] = [await enter(), await enter()];
  dead.socket.write("subscribe");
  sound.socket.write("get");
  await eventually(() => expect([dead.received(), sound.received()]).toEqual(["one:subscribe", "one:get"]));
  proxy.deaden((sent) => sent.includes("subscribe"));
  dead.socket.write("more");
  sound.socket.write("more");
  const fresh = await enter();
  fresh.socket.write("subscribe");
  await eventually(() =>
    expect([sound.received(), fresh.received()]).toEqual(["one:getmore", "one:subscribe"]),
  );
  expect([dead.received(), dead.isGone()]).toEqual(["one:subscribe", false]);
});

it("[engines] a cut breaks connections, and new ones, until the proxy passes", async () => {
  const { isGone } = await enter();
  proxy.cut();
  await eventually(() => expect(isGone()).toBe(true));
  const refused = await enter();
  await eventually(() => expect(refused.isGone()).toBe(true));
  proxy.pass();
  const { received } = await enter();
  await eventually(() => expect(received()).toBe("one:"));
});

it("[engines] a proxy with a new target breaks its connections and leads there", async () => {
  const other = await startEcho("two:");
  const { isGone } = await enter();
  proxy.aim(other.url);
  await eventually(() => expect(isGone()).toBe(true));
  const { received } = await enter();
  await eventually(() => expect(received()).toBe("two:"));
  other.server.close();
  for (const socket of other.sockets) socket.destroy();
});
