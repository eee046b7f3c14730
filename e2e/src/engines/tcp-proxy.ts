import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be slow, dead without a word, cut, or lead elsewhere. */
export interface TcpProxy {
  readonly port: number;
  /** Connections that are open through it. */
  readonly open: number;
  /** Everything passes, and first what was held up; new connections too. */
  pass(): void;
  /** As a slow link: so many bytes a second in each direction of each connection, the rest waits. */
  throttle(bytesPerSecond: number): void;
  /** As a long way: whatever is sent in either direction arrives so many ms later, in order. */
  delay(ms: number): void;
  /** As a black hole: connections stay open, also new ones, and nothing comes through in either direction. */
  swallow(): void;
  /** Clients still receive what the server sends; what they send waits in the proxy. */
  swallowRequests(): void;
  /** The server still hears its clients; they hear nothing. */
  swallowAnswers(): void;
  /** Connections whose clients hear nothing until something passes again. @param which by what the client has sent */
  swallowAnswersOf(which: (sent: string) => boolean): void;
  /** Connections that are dead for good, and new ones that are not. @param which by what the client has sent */
  deaden(which: (sent: string) => boolean): void;
  /** Breaks all connections, and new ones at once until something passes again. */
  cut(): void;
  /** New connections lead to this server, as after a failover; those that stand are broken. */
  aim(target: string): void;
  close(): Promise<void>;
}

/** How a throttled link measures time; a test may let it pass by hand. */
export interface ProxyTimers {
  after(ms: number, run: () => void): { cancel(): void };
}

const systemTimers: ProxyTimers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Traffic that comes through: all, none, so many bytes a second, or all some ms later. */
type Flow = "all" | "nothing" | { bytesPerSecond: number } | { delayMs: number };

/** One direction of one connection. */
interface Lane {
  /** Lets pass what may, and what was held. */
  move(): void;
  /** Nothing passes here until it is moved. */
  hold(): void;
  /** From now on nothing passes here, whatever the proxy does. */
  die(): void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly lanes: readonly Lane[];
  readonly answers: Lane;
  sent: string;
}

/** Bytes of what a client sent first, by which its connection is known. */
const KNOWN_BY = 64 * 1024;
/** Bytes that the proxy itself holds of one direction; beyond them it stops reading. */
const HELD_BYTES = 64 * 1024;
/** ms between two portions of a throttled link. */
const PORTION_MS = 100;

function createLane(from: Socket, to: Socket, timers: ProxyTimers, flow: () => Flow): Lane {
  let waiting: Buffer[] = [];
  let size = 0;
  let isHeld = false;
  let isDead = false;
  let hasEnded = false;
  let portion: { cancel(): void } | undefined;

  const give = (bytes: number): void => {
    let left = bytes;
    while (left > 0) {
      const [first, ...rest] = waiting;
      if (!first) break;
      const piece = first.subarray(0, left);
      waiting = piece.length < first.length ? [first.subarray(left), ...rest] : rest;
      left -= piece.length;
      size -= piece.length;
      to.write(piece);
    }
    if (size < HELD_BYTES) from.resume();
    if (hasEnded && size === 0) to.end();
  };
  /** Bytes of `size` that wait for the end of their delay. */
  let delayed = 0;
  const delay = (ms: number): void => {
    const bytes = size - delayed;
    delayed += bytes;
    timers.after(ms, () => {
      delayed = Math.max(0, delayed - bytes);
      const now = current();
      if (typeof now === "object" && "delayMs" in now) give(bytes);
    });
  };
  const current = (): Flow => (isDead || isHeld ? "nothing" : flow());
  const flowOn = (): void => {
    const now = current();
    if (now === "nothing") return;
    if (now === "all") {
      delayed = 0;
      give(Number.POSITIVE_INFINITY);
    } else if (size === 0) give(0);
    else if ("delayMs" in now) delay(now.delayMs);
    else
      portion ??= timers.after(PORTION_MS, () => {
        portion = undefined;
        give(Math.ceil((now.bytesPerSecond * PORTION_MS) / 1000));
        flowOn();
      });
  };
  from.on("data", (chunk) => {
    waiting.push(chunk);
    size += chunk.length;
    if (size >= HELD_BYTES) from.pause();
    flowOn();
  });
  // An end travels behind what was sent before it; so does that of a connection that broke.
  const end = (): void => {
    hasEnded = true;
    flowOn();
  };
  from.on("end", end);
  from.on("error", end);
  from.on("close", end);
  to.on("close", () => portion?.cancel());
  return {
    move() {
      isHeld = false;
      flowOn();
    },
    hold() {
      isHeld = true;
    },
    die() {
      isDead = true;
    },
  };
}

/** @param target the server's address, such as `redis://127.0.0.1:6379` */
export async function startTcpProxy(target: string, timers: ProxyTimers = systemTimers): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let aimed = new URL(target);
  let towardsServer: Flow = "all";
  let towardsClient: Flow = "all";
  let isCut = false;

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect({ port: Number(aimed.port), host: aimed.hostname, allowHalfOpen: true });
    const answers = createLane(server, client, timers, () => towardsClient);
    const lanes = [createLane(client, server, timers, () => towardsServer), answers];
    const pair: Pair = { client, server, lanes, answers, sent: "" };
    pairs.add(pair);
    client.on("data", (chunk) => {
      if (pair.sent.length < KNOWN_BY) pair.sent += chunk.toString("latin1");
    });
    // One end of a swallowed connection may outlive the other, as it would.
    for (const socket of [client, server]) {
      socket.on("close", () => {
        if (client.closed && server.closed) pairs.delete(pair);
      });
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");

  const set = (toServer: Flow, toClient: Flow): void => {
    isCut = false;
    towardsServer = toServer;
    towardsClient = toClient;
    for (const { lanes } of pairs) for (const lane of lanes) lane.move();
  };
  const breakAll = (): void => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    port: address.port,
    get open() {
      return pairs.size;
    },
    pass: () => set("all", "all"),
    throttle: (bytesPerSecond) => set({ bytesPerSecond }, { bytesPerSecond }),
    delay: (delayMs) => set({ delayMs }, { delayMs }),
    swallowRequests: () => set("nothing", "all"),
    swallow: () => set("nothing", "nothing"),
    swallowAnswers: () => set("all", "nothing"),
    swallowAnswersOf(which) {
      for (const { sent, answers } of pairs) if (which(sent)) answers.hold();
    },
    deaden(which) {
      for (const { sent, lanes } of pairs) if (which(sent)) for (const lane of lanes) lane.die();
    },
    cut() {
      isCut = true;
      breakAll();
    },
    aim(next) {
      aimed = new URL(next);
      breakAll();
    },
    async close() {
      listener.close();
      breakAll();
      await once(listener, "close");
    },
  };
}
