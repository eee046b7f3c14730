import type { InMessage, TakeMessage } from "./broker.ts";

/**
 * Most messages of one session on their way into the database: what the broker may send ahead of their
 * acknowledgements. As many as the database writes at once.
 */
export const WINDOW = 2_000;

/** A message as it comes off the line; it has an identifier where the broker waits for an acknowledgement. */
export interface Arrival extends Pick<InMessage, "topic" | "payload" | "duplicate" | "retained"> {
  readonly id: number | null;
}

/** One connection of the session. */
export interface Line {
  /** Names the connection. */
  readonly name: string;
  isOpen(): boolean;
  /** Acknowledges these messages, in this order. */
  acknowledge(ids: readonly number[]): void;
  /** Ends the connection, so that the broker sends on the next one what was not acknowledged on this. */
  breakOff(error: unknown, topic: string): void;
}

/**
 * The messages of a session that are taken and not acknowledged yet: many at once, as each waits for the database.
 * They are acknowledged in the order in which they came, as MQTT demands, and none before it is stored. What comes
 * again on a new connection because its acknowledgement went down with the last one is not taken again.
 */
export interface Window {
  /** Takes a message. @param next asks for the one after it: at once, or when there is room */
  arrived(line: Line, arrival: Arrival, next: () => void): void;
  /** Takes nothing more; resolves when what was taken is acknowledged, or was refused. */
  drain(): Promise<void>;
}

interface Entry {
  readonly arrival: Arrival;
  readonly taken: Promise<void>;
  state: "taken" | "stored" | "refused";
}

const isSame = (one: Arrival, other: Arrival): boolean =>
  one.topic === other.topic && Buffer.compare(one.payload, other.payload) === 0;

/** @param soon runs work a moment later, so that what is stored together is acknowledged together */
export function createWindow(take: TakeMessage, soon: (work: () => void) => unknown = setImmediate): Window {
  let line: Line | undefined;
  let broken = false;
  let draining: (() => void) | undefined;
  let entries: Entry[] = [];
  /** Of earlier connections, by identifier: bounded by the identifiers that there are. */
  const earlier = new Map<number, Entry>();
  let held: (() => void) | undefined;
  let isDue = false;

  /** Acknowledges what is stored from the oldest on, and asks for more. */
  const settle = (): void => {
    isDue = false;
    // What is stored after the end of its connection waits for the next one: there it comes again.
    if (!line?.isOpen()) {
      draining?.();
      return;
    }
    const first = entries.findIndex(({ state }) => state !== "stored");
    const stored = entries.splice(0, first === -1 ? entries.length : first);
    const ids = stored.flatMap(({ arrival: { id } }) => (id === null ? [] : [id]));
    if (ids.length > 0) line.acknowledge(ids);
    if (entries.length < WINDOW) {
      held?.();
      held = undefined;
    }
    if (entries.length === 0) draining?.();
  };
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    soon(settle);
  };

  const begin = (fresh: Line): void => {
    for (const entry of entries) {
      if (entry.arrival.id !== null) earlier.set(entry.arrival.id, entry);
    }
    line = fresh;
    broken = false;
    entries = [];
    // Who waits for it has gone with its connection.
    held = undefined;
  };

  const takenBefore = (arrival: Arrival): Entry | undefined => {
    if (arrival.id === null) return undefined;
    const before = earlier.get(arrival.id);
    earlier.delete(arrival.id);
    return before && arrival.duplicate && before.state !== "refused" && isSame(before.arrival, arrival)
      ? before
      : undefined;
  };

  return {
    arrived(on, arrival, next) {
      if (on !== line) begin(on);
      // It comes again: to the next connection, or to the next process.
      if (broken || draining) return next();
      const { topic, payload, duplicate, retained } = arrival;
      const before = takenBefore(arrival);
      const taken = before?.taken ?? take({ topic, payload, duplicate, retained, connection: on.name });
      const entry: Entry = { arrival, taken, state: "taken" };
      entries.push(entry);
      taken.then(
        () => {
          entry.state = "stored";
          later();
        },
        (error: unknown) => {
          entry.state = "refused";
          if (on !== line || broken) return;
          broken = true;
          on.breakOff(error, topic);
          later();
        },
      );
      if (entries.length < WINDOW) next();
      else held = next;
    },
    async drain() {
      const { promise, resolve } = Promise.withResolvers<void>();
      draining = resolve;
      later();
      await promise;
    },
  };
}
