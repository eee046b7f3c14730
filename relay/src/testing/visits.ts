import type { Position } from "@mulkko/shared/live/client-messages";
import type { Connect, LiveClient } from "./live-client.ts";

/** Where a client that comes back stands; undefined for a stream that it has nothing of. */
export interface Standing {
  readonly devices?: Position | undefined;
  readonly events?: Position | undefined;
}

/** Clients at one door, all of which leave when a test is over. */
export interface Visits {
  /** Connected, and nothing more. */
  enter(origin: string): Promise<LiveClient>;
  /** Welcomed. */
  greet(origin: string, token: string): Promise<LiveClient>;
  /** Welcomed, and subscribed to both streams from where it stands. */
  follow(origin: string, token: string, standing?: Standing): Promise<LiveClient>;
  /** Leaves, and is gone at the relay's end too. */
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
