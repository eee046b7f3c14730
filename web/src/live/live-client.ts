import { systemClock, systemTimers, type Timers } from "@mulkko/shared/rules/clock";
import { type Connection, type ConnectionEdges, createConnection, type LiveTokens } from "./connection.ts";
import { createEventLog, createIngest, type EventLog, type Ingest } from "./ingest.ts";
import { createLinkStore, type LinkStore } from "./link.ts";
import { createServerClock, type ServerClock } from "./server-clock.ts";
import type { NextFrame } from "./state-stream.ts";
import { createLiveStore, type LiveStore } from "./store.ts";
import { createSocketIoTransport } from "./transport.ts";

/** Update interval of ages and countdowns, ms. */
const TICK_MS = 1_000;

/** One timer for the whole page: it runs while there are subscribers. */
interface Ticker {
  subscribe(listener: () => void): () => void;
}

export function createTicker(every: (ms: number, run: () => void) => () => void = browserInterval): Ticker {
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;
  return {
    subscribe(listener) {
      listeners.add(listener);
      stop ??= every(TICK_MS, () => {
        for (const each of [...listeners]) each();
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
}

function browserInterval(ms: number, run: () => void): () => void {
  const id = setInterval(run, ms);
  return () => clearInterval(id);
}

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
export interface LiveEdges extends ConnectionEdges {
  readonly nextFrame: NextFrame;
  readonly ticker: Ticker;
}

const isVisible = (): boolean => document.visibilityState === "visible";

/**
 * Schedule flushes by animation frame. The first flush contains the whole farm, and rendering it exceeds a
 * frame. It gets a separate task, so that input is handled between it and the layout.
 */
function browserFrames(): NextFrame {
  let isFirst = true;
  return (flush) => {
    if (isFirst) setTimeout(flush);
    else requestAnimationFrame(flush);
    isFirst = false;
  };
}

/** Return the browser's side effects. */
export const browserEdges = (): LiveEdges => ({
  transport: createSocketIoTransport(window.location.origin),
  clock: systemClock,
  timers: systemTimers,
  random: Math.random,
  nextFrame: browserFrames(),
  ticker: createTicker(),
  isVisible,
});

/** @param as account viewed in place of the own one (HS-2) */
export function createLiveClient(
  tokens: LiveTokens,
  edges: LiveEdges = browserEdges(),
  as?: string,
): LiveClient {
  const { clock, timers, nextFrame, ticker } = edges;
  const store = createLiveStore();
  const events = createEventLog();
  const link = createLinkStore();
  const serverClock = createServerClock(clock);
  const ingest = createIngest(store, events, nextFrame);
  const connection = createConnection({ tokens, ingest, link, serverClock, as }, edges);
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
      const stops = [ticker.subscribe(connection.update), onWake(connection), connection.start()];
      return () => {
        for (const stop of stops) stop();
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
