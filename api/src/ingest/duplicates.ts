import { hash } from "node:crypto";

/** Within this time an identical message without its own time may be a repetition, ms. */
export const DUPLICATE_WINDOW_MS = 10_000;

/** Facts from the transport about a message. */
export interface Delivery {
  /** Marked as a possible repetition. */
  readonly duplicate: boolean;
  /** Name of the connection; a change means that the device reconnected. */
  readonly connection: string;
}

/** Remember the last message of each device, to distinguish a repetition from an unchanged measurement. */
export interface Duplicates {
  /** True for a repetition; the message is remembered in any case. @param now ms on a monotonic clock */
  isRepetition(deviceId: string, payload: Uint8Array, delivery: Delivery, now: number): boolean;
  /** Forget the device's last message because it was not stored: sent again, it is not a repetition. */
  forget(deviceId: string): void;
}

interface Last {
  readonly digest: string;
  readonly connection: string;
  readonly receivedAt: number;
}

export function createDuplicates(): Duplicates {
  // One entry per registered device, so bounded.
  const last = new Map<string, Last>();
  return {
    isRepetition(deviceId, payload, { duplicate, connection }, now) {
      const digest = hash("sha1", payload, "base64");
      const before = last.get(deviceId);
      last.set(deviceId, { digest, connection, receivedAt: now });
      if (!before || before.digest !== digest || now - before.receivedAt > DUPLICATE_WINDOW_MS) return false;
      return duplicate || before.connection !== connection;
    },
    forget: (deviceId) => void last.delete(deviceId),
  };
}
