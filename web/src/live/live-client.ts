import { type Clock, type Random, systemClock } from "@mulkko/shared/rules/clock";
import { type Connection, createConnection, type LiveTokens } from "./connection.ts";
import type { Door } from "./door.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { createIngest, type Ingest, type NextFrame } from "./ingest.ts";
import { createLinkStore, type LinkStore } from "./link.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import { socketIoDoor } from "./socketio-door.ts";
import { createLiveStore, type LiveStore } from "./store.ts";
import { createTicker, type Ticker } from "./ticker.ts";
import { browserTimers, type Timers } from "./timers.ts";

/** Everything live of one signed-in account. Nothing in it knows React. */
export interface LiveClient {
  readonly store: LiveStore;
  readonly events: EventLog;
  readonly link: LinkStore;
  readonly serverClock: ServerClock;
  readonly ticker: Ticker;
  readonly connection: Connection;
  readonly ingest: Ingest;
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

const browserEdges = (): LiveEdges => ({
  door: socketIoDoor,
  clock: systemClock,
  timers: browserTimers,
  random: Math.random,
  nextFrame: (flush) => requestAnimationFrame(flush),
  ticker: createTicker(),
  isLookedAt: isVisible,
});

export function createLiveClient(tokens: LiveTokens, edges: LiveEdges = browserEdges()): LiveClient {
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
  });
  return {
    store,
    events,
    link,
    serverClock,
    ticker,
    connection,
    ingest,
    start() {
      const stopLooking = ticker.subscribe(connection.look);
      const forgetWaking = onWake(connection.wake);
      connection.start();
      return () => {
        connection.stop();
        forgetWaking();
        stopLooking();
      };
    },
  };
}

/** Calls back when the tab is looked at again or the machine comes back online. */
function onWake(wake: () => void): () => void {
  const visible = () => {
    if (isVisible()) wake();
  };
  document.addEventListener("visibilitychange", visible);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  return () => {
    document.removeEventListener("visibilitychange", visible);
    window.removeEventListener("online", wake);
    window.removeEventListener("pageshow", wake);
  };
}
