import type { Clock } from "@mulkko/shared/rules/clock";
import type { HeardMessage } from "../owner/owner.ts";

/** Messages of accounts that are not loaded here: an account that comes to work hears them then (MQTT-1). */
export interface RecentMessages {
  keep(message: HeardMessage): void;
  /** Those of an account, oldest first; they are no longer kept. */
  take(accountId: string): HeardMessage[];
}

const KEPT_MS = 15_000;
const KEPT_AT_MOST = 20_000;
const KEPT_AFTER_DROP = 18_000;

export function createRecentMessages(clock: Clock): RecentMessages {
  let kept: { message: HeardMessage; at: number }[] = [];
  const drop = (): void => {
    const oldest = clock.monotonic() - KEPT_MS;
    const first = kept.findIndex((one) => one.at >= oldest);
    if (first !== 0) kept = first === -1 ? [] : kept.slice(first);
  };
  return {
    keep(message) {
      kept.push({ message, at: clock.monotonic() });
      // In batches, so that a full memory is not moved for each message.
      if (kept.length > KEPT_AT_MOST) {
        drop();
        kept = kept.slice(-KEPT_AFTER_DROP);
      }
    },
    take(accountId) {
      drop();
      const own = kept.filter((one) => one.message.topic.userId === accountId);
      if (own.length > 0) kept = kept.filter((one) => one.message.topic.userId !== accountId);
      return own.map((one) => one.message);
    },
  };
}
