import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a server that can be slow, silently dead, cut, or lead elsewhere. */
export interface TcpProxy {
  readonly port: number;
  /** Number of open connections. */
  readonly open: number;
  /** Pass everything, first the held data; new connections too. */
  pass(): void;
  /**
   * Act as a slow link: a number of bytes per second in each direction of each connection, the rest waits.
   */
  throttle(bytesPerSecond: number): void;
  /** Act as a long link: data in either direction arrives a number of ms later, in order. */
  delay(ms: number): void;
  /** Act as a black hole: connections stay open, also new ones, and no data passes in either direction. */
  swallow(): void;
  /** Pass the server's data to clients; the clients' data waits in the proxy. */
  swallowRequests(): void;
  /** Pass the clients' data to the server; the server's data waits. */
  swallowAnswers(): void;
  /**
   * Hold the server's data of some connections until the proxy passes again. @param which selects by the
   * client's first bytes
   */
  swallowAnswersOf(which: (sent: string) => boolean): void;
  /**
   * Kill some connections silently and for good, but no new ones. @param which selects by the client's first
   * bytes
   */
  deaden(which: (sent: string) => boolean): void;
  /** Break all connections, and new ones at once, until the proxy passes again. */
  cut(): void;
  /** Lead new connections to another server, as after a failover; existing ones are broken. */
  aim(target: string): void;
  close(): Promise<void>;
}

/** Time source of a throttled link; a test may release the portions by hand. */
export interface ProxyTimers {
  after(ms: number, run: () => void): { cancel(): void };
}

const systemTimers: ProxyTimers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Traffic that passes: all, none, a number of bytes per second, or all some ms later. */
type Flow = "all" | "nothing" | { bytesPerSecond: number } | { delayMs: number };

/** One direction of one connection. */
interface Direction {
  /** Pass the data that may pass, and the held data. */
  move(): void;
  /** True while no data passes here until the connection is moved. */
  hold(): void;
  /** Pass no more data here, in any state of the proxy. */
  die(): void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly directions: readonly Direction[];
  readonly answers: Direction;
  sent: string;
}

/** Number of the client's first bytes that identify its connection. */
const KNOWN_BY = 64 * 1024;
/** Maximum of held bytes of one direction; beyond it the proxy stops reading. */
const HELD_BYTES = 64 * 1024;
/** ms between two portions of a throttled link. */
const PORTION_MS = 100;

function createDirection(from: Socket, to: Socket, timers: ProxyTimers, flow: () => Flow): Direction {
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
  /** Number of bytes of `size` that wait for the end of their delay. */
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
  // An end follows the data before it, also that of a broken connection.
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
    const answers = createDirection(server, client, timers, () => towardsClient);
    const directions = [createDirection(client, server, timers, () => towardsServer), answers];
    const pair: Pair = { client, server, directions, answers, sent: "" };
    pairs.add(pair);
    client.on("data", (chunk) => {
      if (pair.sent.length < KNOWN_BY) pair.sent += chunk.toString("latin1");
    });
    // One end of a swallowed connection may outlive the other, as in a real network.
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
    for (const { directions } of pairs) for (const direction of directions) direction.move();
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
      for (const { sent, directions } of pairs)
        if (which(sent)) for (const direction of directions) direction.die();
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
