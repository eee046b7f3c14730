import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { Timers } from "../ports/timers.ts";

/** When requests arrived at this machine, as far as a process can know (CMD-10). */
export interface Arrivals {
  /**
   * The earliest moment at which a request's first byte can have arrived, monotonic ms. While the process was stopped
   * or busy, bytes waited in the kernel: those that are read afterwards count from when it last read.
   */
  of(request: IncomingMessage): number;
  close(): void;
}

/** How often the process notes that it reads, ms. */
const LOOK_MS = 500;
/** A look that is so late means that nothing was read in between, ms. */
const STOPPED_MS = 1_500;
/** How long after a stop the bytes that waited are still being read, ms. */
const CATCH_UP_MS = 1_000;

/** Notes the first byte of every request of a server. What waited before this machine stays unknown. */
export function watchArrivals(server: Server, clock: Pick<Clock, "monotonic">, timers: Timers): Arrivals {
  const notes = new WeakMap<Duplex, () => void>();
  const firstBytes = new WeakMap<Duplex, number>();
  const arrived = new WeakMap<IncomingMessage, number>();
  let lookedAt = clock.monotonic();
  let stop = { from: lookedAt, until: Number.NEGATIVE_INFINITY };
  const readSince = (): number => {
    const now = clock.monotonic();
    if (now - lookedAt > STOPPED_MS) return lookedAt;
    return now < stop.until ? stop.from : now;
  };
  const look = (): void => {
    const now = clock.monotonic();
    if (now - lookedAt > STOPPED_MS) stop = { from: lookedAt, until: now + CATCH_UP_MS };
    lookedAt = now;
    timer = timers.after(LOOK_MS, look);
  };
  let timer = timers.after(LOOK_MS, look);
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
    close: () => timer.cancel(),
  };
}

/** True once the sender has closed its side of the connection and no longer waits for an answer. */
export function isGone({ socket }: IncomingMessage): boolean {
  return socket.destroyed || socket.readableEnded;
}
