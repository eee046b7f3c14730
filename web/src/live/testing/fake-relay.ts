import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import type { LiveTokens } from "../connection.ts";
import { createLiveClient, createTicker, type LiveClient, type LiveEdges } from "../live-client.ts";
import type { Transport, TransportListener } from "../transport.ts";

/** One connection, from the relay's side. */
export interface FakeSocket {
  readonly received: ClientMessage[];
  closedByClient: boolean;
  say(message: ServerMessage): void;
  sayRaw(raw: unknown): void;
  /** Open the transport. */
  open(): void;
  /** Break the transport. */
  cut(): void;
}

/** A fake relay: the test decides every message. */
export interface FakeRelay {
  readonly transport: Transport;
  readonly sockets: FakeSocket[];
  latest(): FakeSocket;
}

export function createFakeRelay(): FakeRelay {
  const sockets: FakeSocket[] = [];
  return {
    sockets,
    latest() {
      const socket = sockets.at(-1);
      if (!socket) throw new Error("no client has connected");
      return socket;
    },
    transport: {
      open(listener: TransportListener) {
        const socket: FakeSocket = {
          received: [],
          closedByClient: false,
          say: (message) => listener.message(message),
          sayRaw: (raw) => listener.message(raw),
          open: () => listener.opened(),
          cut: () => listener.closed(),
        };
        sockets.push(socket);
        return {
          send: (message) => socket.received.push(message),
          close: () => {
            socket.closedByClient = true;
          },
        };
      },
    },
  };
}

/** Tokens controlled by the test: `next` is the result of a renewal. */
export interface FakeTokens extends LiveTokens {
  now: string | null;
  next: string | null;
  readonly renewed: string[];
  give(token: string): void;
}

export function createFakeTokens(): FakeTokens {
  const listeners = new Set<(token: string) => void>();
  const tokens: FakeTokens = {
    now: "token-1",
    next: "token-2",
    renewed: [],
    current: async () => tokens.now,
    async renew(used) {
      tokens.renewed.push(used);
      if (tokens.next !== null) tokens.give(tokens.next);
      return tokens.next;
    },
    onToken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    give(token) {
      tokens.now = token;
      for (const listener of listeners) listener(token);
    },
  };
  return tokens;
}

/** Fields of a welcome that differ from the bench's own. */
interface WelcomeChange {
  readonly ttl?: number;
  readonly build?: string;
  readonly activeEveryMs?: number;
  readonly askEveryMs?: number;
}

/** A live client with all side effects controlled by the test. */
export interface Bench {
  readonly client: LiveClient;
  /** True while the page is visible. */
  visible: boolean;
  readonly relay: FakeRelay;
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly tokens: FakeTokens;
  /** Run the page's check of the server's clock, due once a second. */
  tick(): void;
  /** Render the next frame: runs the scheduled flush. */
  paint(): void;
  /** Return the total number of scheduled flushes. */
  flushes(): number;
  /** Connect and send the welcome; subscribes have arrived. */
  welcome(change?: WelcomeChange): Promise<FakeSocket>;
  /** @returns a function that stops */
  start(): () => void;
}

/** @param as account viewed in place of the own one */
export function createBench(random: () => number = () => 0.5, as?: string): Bench {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const relay = createFakeRelay();
  const tokens = createFakeTokens();
  const waiting: (() => void)[] = [];
  let flushes = 0;
  let beat: () => void = () => undefined;
  const edges: LiveEdges = {
    transport: relay.transport,
    clock,
    timers,
    random,
    ticker: createTicker((_ms, run) => {
      beat = run;
      return () => {
        beat = () => undefined;
      };
    }),
    isVisible: () => bench.visible,
    nextFrame(flush) {
      flushes += 1;
      waiting.push(flush);
    },
  };
  const client = createLiveClient(tokens, edges, as);
  const bench: Bench = {
    client,
    visible: true,
    relay,
    clock,
    timers,
    tokens,
    flushes: () => flushes,
    tick: () => beat(),
    paint() {
      for (const flush of waiting.splice(0)) flush();
    },
    start: () => client.connection.start(),
    async welcome(change = {}) {
      await settle();
      const socket = relay.latest();
      socket.open();
      socket.say({
        t: "welcome",
        protocol: 1,
        session: "s1",
        node: "n1",
        build: change.build ?? "build-1",
        serverTime: new Date(clock.now()).toISOString(),
        ttl: change.ttl ?? 1_800,
        apiTimezone: "Asia/Seoul",
        ...(change.activeEveryMs !== undefined && { activeEveryMs: change.activeEveryMs }),
        ...(change.askEveryMs !== undefined && { askEveryMs: change.askEveryMs }),
        account: { id: "a1", userType: "USER", timezone: "Asia/Seoul" },
      });
      return socket;
    },
  };
  return bench;
}

/** Create a bench whose page is live, on a relay that answers its questions if the test does. */
export async function createLiveBench(): Promise<{ readonly bench: Bench; readonly socket: FakeSocket }> {
  const bench = createBench();
  bench.start();
  const socket = await bench.welcome({ askEveryMs: LIVE_LIMITS.askEveryMs });
  socket.say(devicesSnapshot("e1", 7, {}));
  socket.say(eventsSnapshot("v1", 3));
  bench.paint();
  await bench.timers.pass(0);
  return { bench, socket };
}

/** Build a `devices` snapshot in one part. */
export function devicesSnapshot(
  epoch: string,
  offset: number,
  state: Record<string, Record<string, unknown>>,
): ServerMessage {
  return { t: "snapshot", stream: "devices", epoch, offset, part: 1, of: 1, state };
}

/** Build an empty `events` snapshot. */
export function eventsSnapshot(epoch: string, offset: number): ServerMessage {
  return { t: "snapshot", stream: "events", epoch, offset, part: 1, of: 1, state: [] };
}

/** Build a whole `sensor:{id}` value. */
export function sensorValue(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    info: { id: "s1", deviceType: "SMS", serial: 1 },
    reading: { moisture: 30 },
    at: "2026-11-21T03:00:00Z",
    heardAt: "2026-11-21T03:00:00Z",
    quality: "fresh",
    via: "mqtt",
    ...change,
  };
}
