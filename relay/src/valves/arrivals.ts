import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";

/** Arrival times of requests at this machine, as far as a process can know them (CMD-10). */
export interface Arrivals {
  /**
   * Return the earliest time at which a request's first byte can have arrived, monotonic ms. While the
   * process was stopped or busy, bytes waited in the kernel. Bytes read afterwards count from the last read
   * before.
   */
  of(request: IncomingMessage): number;
  close(): void;
}

/** Interval at which the process records that it reads, ms. */
const TICK_MS = 500;
/** Delay of a tick from which the process counts as stopped, ms. */
const STOPPED_MS = 1_500;
/** Time after a stop during which waiting bytes are still being read, ms. */
const CATCH_UP_MS = 1_000;

/** Record the first byte of every request of a server. Delays before this machine remain unknown. */
export function watchArrivals(server: Server, clock: Pick<Clock, "monotonic">, timers: Timers): Arrivals {
  const notes = new WeakMap<Duplex, () => void>();
  const firstBytes = new WeakMap<Duplex, number>();
  const arrived = new WeakMap<IncomingMessage, number>();
  let lastTick = clock.monotonic();
  let stop = { from: lastTick, until: Number.NEGATIVE_INFINITY };
  const readSince = (): number => {
    const now = clock.monotonic();
    if (now - lastTick > STOPPED_MS) return lastTick;
    return now < stop.until ? stop.from : now;
  };
  const ticking = repeat(timers, TICK_MS, () => {
    const now = clock.monotonic();
    if (now - lastTick > STOPPED_MS) stop = { from: lastTick, until: now + CATCH_UP_MS };
    lastTick = now;
  });
  server.on("connection", (socket) => {
    const note = (): void => {
      if (!firstBytes.has(socket)) firstBytes.set(socket, readSince());
    };
    notes.set(socket, note);
    socket.on("data", note);
  });
  server.prependListener("request", (request, response) => {
    arrived.set(request, firstBytes.get(request.socket) ?? readSince());
    response.once("close", () => firstBytes.delete(request.socket));
  });
  server.prependListener("upgrade", (_request, socket) => {
    const note = notes.get(socket);
    if (note) socket.off("data", note);
  });
  return {
    of: (request) => arrived.get(request) ?? readSince(),
    close: () => ticking.cancel(),
  };
}

/** True once the sender has closed its side of the connection and no longer waits for an answer. */
export function isGone({ socket }: IncomingMessage): boolean {
  return socket.destroyed || socket.readableEnded;
}
