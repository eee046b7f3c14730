import { type Clock, type Random, systemClock } from "@mulkko/shared/rules/clock";
import { browserFrames } from "./browser-frames.ts";
import { type Connection, createConnection, type LiveTokens } from "./connection.ts";
import type { Door } from "./door.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { createFallbackDoor } from "./fallback-door.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import { createLinkStore, type LinkStore } from "./link.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import type { NextFrame } from "./state-stream.ts";
import { createLiveStore, type LiveStore } from "./store.ts";
import { createTicker, type Ticker } from "./ticker.ts";
import { browserTimers, type Timers } from "./timers.ts";
import { createWebSocketDoor } from "./websocket-door.ts";

/** Everything live of one signed-in account. Nothing in it knows React. */
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
  /** Connects, and follows the tab's sleep and the machine's network. @returns stops */
  start(): () => void;
}

/** The edges of a live client, for tests to replace. */
export interface LiveEdges {
  readonly door: Door;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly nextFrame: NextFrame;
  readonly ticker: Ticker;
  readonly isLookedAt: () => boolean;
}

const isVisible = (): boolean => document.visibilityState === "visible";

/** The plain door, and Socket.IO's for networks that let only that one through. */
const browserDoor = (origin: string): Door =>
  createFallbackDoor(
    createWebSocketDoor(origin),
    () => import("./socketio-door.ts").then(({ createSocketIoDoor }) => createSocketIoDoor(origin)),
    browserTimers,
  );

/** The edges of a page in a browser. */
export const browserEdges = (): LiveEdges => ({
  door: browserDoor(window.location.origin),
  clock: systemClock,
  timers: browserTimers,
  random: Math.random,
  nextFrame: browserFrames(),
  ticker: createTicker(),
  isLookedAt: isVisible,
});

/** @param as the account that is read in the place of one's own (HS-2) */
export function createLiveClient(
  tokens: LiveTokens,
  edges: LiveEdges = browserEdges(),
  as?: string,
): LiveClient {
  const { door, clock, timers, random, nextFrame, ticker, isLookedAt } = edges;
  const store = createLiveStore();
  const events = createEventLog();
  const link = createLinkStore();
  const serverClock = createServerClock(clock);
  const ingest = createIngest(store, events, nextFrame);
  const connection = createConnection({
    door,
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

/** Follow the tab's sleep and the browser's own view of the network. @returns stops */
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
