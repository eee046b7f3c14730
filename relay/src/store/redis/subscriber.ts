import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import { StoreUnavailableError } from "../errors.ts";
import { type CreateClient, redisOptions } from "./connection.ts";
import { REDIS_LIMITS } from "./limits.ts";

/** The connection that receives publications. */
export interface Subscriber {
  /**
   * Subscribe to a channel. Resolves when Redis has confirmed. Rejects with a `StoreUnavailableError`: at
   * once without a connection, as the next one subscribes to all channels.
   */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): void;
  observe(observer: SubscriberObserver): void;
  close(): void;
}

export interface SubscriberObserver {
  message(channel: string, message: Buffer): void;
  /** All channels are subscribed on a new connection: earlier publications may be missed. */
  resubscribed(): void;
}

/**
 * Open the connection. It subscribes again by itself, and detects a silently dead connection by a ping
 * (LIVE-4): a socket without an answer for 4 s is closed.
 */
export function openSubscriber(url: string, createClient: CreateClient, timers: Timers): Subscriber {
  const client = createClient(url, redisOptions("mulkko-relay-subscriber"));
  const channels = new Set<string>();
  let observer: SubscriberObserver | undefined;
  let closed = false;

  const resubscribe = async (): Promise<void> => {
    if (channels.size > 0) await client.subscribe(...channels);
    observer?.resubscribed();
  };
  client.on("ready", () => {
    resubscribe().catch(() => client.disconnect(!closed));
  });
  client.on("messageBuffer", (channel: Buffer, message: Buffer) =>
    observer?.message(channel.toString(), message),
  );
  // The connection for commands reports why Redis is away; this one reconnects with it.
  client.on("error", () => undefined);
  client.connect().catch(() => undefined);

  const pinging = repeat(timers, REDIS_LIMITS.pingMs, () => {
    if (client.status !== "ready") return;
    client.ping().catch(() => {
      if (client.status === "ready") client.disconnect(!closed);
    });
  });

  return {
    async subscribe(channel) {
      channels.add(channel);
      if (client.status !== "ready") return;
      try {
        await client.subscribe(channel);
      } catch (cause) {
        throw new StoreUnavailableError("Redis rejected a subscription.", { cause });
      }
    },
    unsubscribe(channel) {
      channels.delete(channel);
      if (client.status !== "ready") return;
      client.unsubscribe(channel).catch(() => undefined);
    },
    observe(one) {
      observer = one;
    },
    close() {
      closed = true;
      pinging.cancel();
      client.disconnect();
    },
  };
}
