import { hash } from "node:crypto";

/** Within this time an identical message without a time of its own may be the same one again, ms. */
export const DUPLICATE_WINDOW_MS = 10_000;

/** What the transport says about a message. */
export interface Delivery {
  /** Marked as possibly sent before. */
  readonly duplicate: boolean;
  /** Names the connection; another one than last time means that the device reconnected. */
  readonly connection: string;
}

/** Knows the last message of each device, to tell a repetition from an unchanged measurement. */
export interface Duplicates {
  /** True where the message is a repetition; remembers it either way. @param now ms on a steady clock */
  isRepetition(deviceId: string, payload: Uint8Array, delivery: Delivery, now: number): boolean;
  /** What the device said last was not stored: when it comes again it is no repetition. */
  forget(deviceId: string): void;
}

interface Last {
  readonly digest: string;
  readonly connection: string;
  readonly heard: number;
}

export function createDuplicates(): Duplicates {
  // One entry for each device that is registered here, so bounded by them.
  const last = new Map<string, Last>();
  return {
    isRepetition(deviceId, payload, { duplicate, connection }, now) {
      const digest = hash("sha1", payload, "base64");
      const before = last.get(deviceId);
      last.set(deviceId, { digest, connection, heard: now });
      if (!before || before.digest !== digest || now - before.heard > DUPLICATE_WINDOW_MS) return false;
      return duplicate || before.connection !== connection;
    },
    forget: (deviceId) => void last.delete(deviceId),
  };
}
