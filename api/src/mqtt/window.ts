import type { HandleMessage, InMessage } from "../devices/broker.ts";

/**
 * Most messages of one session being stored: what the broker may send ahead of their acknowledgements. Equals
 * the largest batch of the database.
 */
export const WINDOW = 2_000;

/** A received message; it has an identifier where the broker waits for an acknowledgement. */
export interface Arrival extends Pick<InMessage, "topic" | "payload" | "duplicate" | "retained"> {
  readonly id: number | null;
}

/** One connection of the session. */
export interface Line {
  /** Name of the connection. */
  readonly name: string;
  isOpen(): boolean;
  /** Acknowledge these messages, in this order. */
  acknowledge(ids: readonly number[]): void;
  /** End the connection, so that the broker sends all unacknowledged messages again on the next one. */
  breakOff(error: unknown, topic: string): void;
}

/**
 * The messages of a session that are taken and not yet acknowledged; each waits for the database. They are
 * acknowledged in order of arrival, as MQTT demands, and never before they are stored. A message is not taken
 * again if only its acknowledgement was lost with the last connection.
 */
export interface Window {
  /** Take a message. @param next asks for the following one: at once, or when there is room */
  arrived(line: Line, arrival: Arrival, next: () => void): void;
  /** Take nothing more. Resolve when every taken message is acknowledged or refused. */
  drain(): Promise<void>;
}

interface Entry {
  readonly arrival: Arrival;
  readonly handled: Promise<void>;
  state: "taken" | "stored" | "refused";
}

const isSame = (one: Arrival, other: Arrival): boolean =>
  one.topic === other.topic && Buffer.compare(one.payload, other.payload) === 0;

/** @param soon runs work a moment later, so that messages stored together are acknowledged together */
export function createWindow(
  handle: HandleMessage,
  soon: (work: () => void) => unknown = setImmediate,
): Window {
  let line: Line | undefined;
  let broken = false;
  let draining: (() => void) | undefined;
  let entries: Entry[] = [];
  /** Entries of earlier connections, by identifier: bounded by the number of identifiers. */
  const earlier = new Map<number, Entry>();
  let held: (() => void) | undefined;
  let isDue = false;

  /** Acknowledge stored messages from the oldest on, and ask for more. */
  const settle = (): void => {
    isDue = false;
    // A message stored after the end of its connection waits for its repetition on the next one.
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
    // The waiting connection has ended.
    held = undefined;
  };

  const earlierOf = (arrival: Arrival): Entry | undefined => {
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
      // The broker sends it again: to the next connection, or to the next process.
      if (broken || draining) return next();
      const { topic, payload, duplicate, retained } = arrival;
      const before = earlierOf(arrival);
      const handled = before?.handled ?? handle({ topic, payload, duplicate, retained, connection: on.name });
      const entry: Entry = { arrival, handled: handled, state: "taken" };
      entries.push(entry);
      handled.then(
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
