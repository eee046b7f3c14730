import type { Position } from "@mulkko/shared/live/client-messages";
import type { Connect, LiveClient } from "./live-client.ts";

/** The position of a returning client; undefined for a stream without one. */
export interface ClientPosition {
  readonly devices?: Position | undefined;
  readonly events?: Position | undefined;
}

/** Clients of one transport, which are all closed after a test. */
export interface Visits {
  /** Connect a client. */
  enter(origin: string): Promise<LiveClient>;
  /** Connect a client, and wait for its welcome. */
  greet(origin: string, token: string): Promise<LiveClient>;
  /** Connect a client, and subscribe to both streams from its position. */
  follow(origin: string, token: string, from?: ClientPosition): Promise<LiveClient>;
  /** Close a client, and wait until the relay has noticed. */
  leave(client: LiveClient): Promise<void>;
  leaveAll(): void;
}

export function createVisits(connect: Connect): Visits {
  let clients: LiveClient[] = [];
  const visits: Visits = {
    async enter(origin) {
      const client = await connect(origin);
      clients.push(client);
      return client;
    },
    async greet(origin, token) {
      const client = await visits.enter(origin);
      client.say({ t: "hello", protocol: 1, token });
      await client.next("link");
      return client;
    },
    async follow(origin, token, { devices, events } = {}) {
      const client = await visits.greet(origin, token);
      client.say({ t: "subscribe", stream: "devices", ...(devices && { position: devices }) });
      client.say({ t: "subscribe", stream: "events", ...(events && { position: events }) });
      return client;
    },
    async leave(client) {
      client.leave();
      await client.gone;
    },
    leaveAll() {
      for (const client of clients) client.leave();
      clients = [];
    },
  };
  return visits;
}
