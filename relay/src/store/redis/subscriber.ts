import { Redis } from "ioredis";
import type { Timers } from "../../ports/timers.ts";
import { StoreUnavailableError } from "../errors.ts";
import { redisOptions } from "./connection.ts";
import { REDIS_LIMITS } from "./limits.ts";

/** The connection that hears publications. */
export interface Subscriber {
  /** Resolves when Redis has confirmed, rejects with a `StoreUnavailableError`; at once without a connection: the next one brings all channels along. */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): void;
  close(): void;
}

export interface SubscriberParts {
  readonly url: string;
  readonly timers: Timers;
  readonly onMessage: (channel: string, message: Buffer) => void;
  /** All channels are subscribed on a new connection: what was published before it may be missed. */
  readonly onResubscribed: () => void;
}

/**
 * Subscribes again by itself, and finds a connection that died silently by a ping (LIVE-4): a socket that says
 * nothing for 4 s after it is given up.
 */
export function openSubscriber(parts: SubscriberParts): Subscriber {
  const { timers } = parts;
  const client = new Redis(parts.url, redisOptions("mulkko-relay-subscriber"));
  const channels = new Set<string>();
  let closed = false;

  const resubscribe = async (): Promise<void> => {
    if (channels.size > 0) await client.subscribe(...channels);
    parts.onResubscribed();
  };
  client.on("ready", () => {
    resubscribe().catch(() => client.disconnect(!closed));
  });
  client.on("messageBuffer", (channel: Buffer, message: Buffer) =>
    parts.onMessage(channel.toString(), message),
  );
  // The connection for commands says why Redis is away; this one comes back with it.
  client.on("error", () => undefined);
  client.connect().catch(() => undefined);

  const ping = (): void => {
    if (client.status === "ready") {
      client.ping().catch(() => {
        if (client.status === "ready") client.disconnect(!closed);
      });
    }
    pinging = timers.after(REDIS_LIMITS.pingMs, ping);
  };
  let pinging = timers.after(REDIS_LIMITS.pingMs, ping);

  return {
    async subscribe(channel) {
      channels.add(channel);
      if (client.status !== "ready") return;
      try {
        await client.subscribe(channel);
      } catch (cause) {
        throw new StoreUnavailableError("Redis does not take a subscription.", { cause });
      }
    },
    unsubscribe(channel) {
      channels.delete(channel);
      if (client.status !== "ready") return;
      client.unsubscribe(channel).catch(() => undefined);
    },
    close() {
      closed = true;
      pinging.cancel();
      client.disconnect();
    },
  };
}
