import type { Clock } from "@mulkko/shared/rules/clock";
import type { ReceivedMessage } from "./mqtt.ts";

/** Buffers messages of accounts that are not active here, for their activation (MQTT-1). */
export interface RecentMessages {
  add(message: ReceivedMessage): void;
  /** Return the messages of an account, oldest first, and remove them. */
  drain(accountId: string): ReceivedMessage[];
}

const MAX_AGE_MS = 15_000;
const CAPACITY = 20_000;
const CAPACITY_AFTER_DROP = 18_000;

export function createRecentMessages(clock: Clock): RecentMessages {
  let messages: { message: ReceivedMessage; at: number }[] = [];
  const drop = (): void => {
    const oldest = clock.monotonic() - MAX_AGE_MS;
    const first = messages.findIndex((one) => one.at >= oldest);
    if (first !== 0) messages = first === -1 ? [] : messages.slice(first);
  };
  return {
    add(message) {
      messages.push({ message, at: clock.monotonic() });
      // In batches, so that a full buffer is not moved for each message.
      if (messages.length > CAPACITY) {
        drop();
        messages = messages.slice(-CAPACITY_AFTER_DROP);
      }
    },
    drain(accountId) {
      drop();
      const own = messages.filter((one) => one.message.topic.userId === accountId);
      if (own.length > 0) messages = messages.filter((one) => one.message.topic.userId !== accountId);
      return own.map((one) => one.message);
    },
  };
}
