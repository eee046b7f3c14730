import { type Clock, type Random, systemClock, systemTimers, type Timers } from "@mulkko/shared/rules/clock";
import { browserFrames } from "./browser-frames.ts";
import { type Connection, createConnection, type LiveTokens } from "./connection.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { createFallbackTransport } from "./fallback-transport.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import { createLinkStore, type LinkStore } from "./link.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import type { NextFrame } from "./state-stream.ts";
import { createLiveStore, type LiveStore } from "./store.ts";
import { createTicker, type Ticker } from "./ticker.ts";
import type { Transport } from "./transport.ts";
import { createWebSocketTransport } from "./websocket-transport.ts";

/** All live data of one signed-in account, independent of React. */
export interface LiveClient {
  readonly store: LiveStore;
  readonly events: EventLog;
  readonly link: LinkStore;
  readonly serverClock: ServerClock;
  readonly ticker: Ticker;
  readonly connection: Connection;
  readonly ingest: Ingest;
  readonly timers: Timers;
  readonly nextFrame: NextFrame;
  /** Connect, and follow the tab's sleep and the machine's network. @returns a function that stops */
  start(): () => void;
}

/** Side effects of a live client, replaceable in tests. */
export interface LiveEdges {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly nextFrame: NextFrame;
  readonly ticker: Ticker;
  readonly isLookedAt: () => boolean;
}

const isVisible = (): boolean => document.visibilityState === "visible";

/** Use the WebSocket endpoint, and Socket.IO for networks that pass only that. */
const browserTransport = (origin: string): Transport =>
  createFallbackTransport(
    createWebSocketTransport(origin),
    () =>
      import("./socketio-transport.ts").then(({ createSocketIoTransport }) =>
        createSocketIoTransport(origin),
      ),
    systemTimers,
  );

/** Return the browser's side effects. */
export const browserEdges = (): LiveEdges => ({
  transport: browserTransport(window.location.origin),
  clock: systemClock,
  timers: systemTimers,
  random: Math.random,
  nextFrame: browserFrames(),
  ticker: createTicker(),
  isLookedAt: isVisible,
});

/** @param as account viewed in place of the own one (HS-2) */
export function createLiveClient(
  tokens: LiveTokens,
  edges: LiveEdges = browserEdges(),
  as?: string,
): LiveClient {
  const { transport, clock, timers, random, nextFrame, ticker, isLookedAt } = edges;
  const store = createLiveStore();
  const events = createEventLog();
  const link = createLinkStore();
  const serverClock = createServerClock(clock);
  const ingest = createIngest(store, events, nextFrame);
  const connection = createConnection({
    transport,
    clock,
    serverClock,
    timers,
    random,
    tokens,
    ingest,
    link,
    isLookedAt,
    as,
  });
  return {
    store,
    events,
    link,
    serverClock,
    ticker,
    connection,
    ingest,
    timers,
    nextFrame,
    start() {
      const stopLooking = ticker.subscribe(connection.look);
      const forgetWaking = onWake(connection);
      connection.start();
      return () => {
        connection.stop();
        forgetWaking();
        stopLooking();
      };
    },
  };
}

/** Follow the tab's sleep and the browser's network events. @returns a function that stops */
function onWake({ wake, online, doubt }: Connection): () => void {
  const visible = () => {
    if (isVisible()) wake();
  };
  document.addEventListener("visibilitychange", visible);
  window.addEventListener("online", online);
  window.addEventListener("offline", doubt);
  window.addEventListener("pageshow", wake);
  return () => {
    document.removeEventListener("visibilitychange", visible);
    window.removeEventListener("online", online);
    window.removeEventListener("offline", doubt);
    window.removeEventListener("pageshow", wake);
  };
}
