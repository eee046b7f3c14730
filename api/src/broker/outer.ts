import type { FastifyBaseLogger } from "fastify";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { type UplinkSource, uplinkFilters } from "../uplinks/topics.ts";
import { type Broker, BrokerDownError, type TakeMessage } from "./broker.ts";

/**
 * A connection takes one message at a time, as its acknowledgement waits for the database; many connections on
 * one shared subscription fill a batch.
 */
const CONNECTIONS = 128;
const RECONNECT_MS = 2_000;
const PUBLISH_TIMEOUT_MS = 4_000;

/** What devices say; their states and lines go over one connection each, so that their order stays. */
const UP_FILTER = "mulkko/+/up";
const ORDERED_FILTERS = ["mulkko/+/ch/+/state", "mulkko/+/status"];

/** What the broker keeps of a topic comes with a new subscription only, not with each connection. */
const HOW = { qos: 1, rh: 1 } as const;

const shared = (filter: string): string => `$share/api/${filter}`;

export interface OuterOptions {
  readonly url: string;
  /** Network servers whose uplinks are on this broker. */
  readonly uplinkTopics: UplinkSource | "off";
  readonly take: TakeMessage;
  readonly logger: FastifyBaseLogger;
}

/** A broker elsewhere. Who may connect there, and use which topics, is that broker's own configuration. */
export function connectOuterBroker({ url, uplinkTopics, take, logger }: OuterOptions): Broker {
  const uplinks = uplinkFilters(uplinkTopics);
  const readings = [UP_FILTER, ...uplinks].map(shared);
  const unwanted = uplinkFilters("both")
    .filter((filter) => !uplinks.includes(filter))
    .map(shared);
  const clients: MqttClient[] = [];
  let sessionCount = 0;

  const join = (name: string, filters: readonly string[], clean = false): MqttClient => {
    const options: IClientOptions = {
      clientId: name,
      // The broker keeps what comes while this process is away.
      clean,
      reconnectPeriod: RECONNECT_MS,
      // Done below at every connection: a Mosquitto that was started anew has the session and not its shared
      // subscriptions, and this library leaves out what it subscribed before.
      resubscribe: false,
      protocolVersion: 5,
      properties: { sessionExpiryInterval: clean ? 0 : 86_400 },
    };
    const client = connect(url, options);
    let connection = "";
    client.handleMessage = (packet, done) => {
      const { topic, payload, dup, retain } = packet;
      const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
      take({ topic, payload: bytes, duplicate: dup, retained: retain, connection }).then(
        () => done(),
        (error: unknown) => {
          // Not acknowledged: the next connection gets it again, RECONNECT_MS from now.
          logger.warn({ err: error, topic }, "message was not taken; it will come again");
          client.stream.destroy();
        },
      );
    };
    client.on("connect", () => {
      sessionCount += 1;
      connection = `${name}#${sessionCount}`;
      if (filters.length === 0) return;
      client.subscribe([...filters], HOW, (error) => {
        if (error) logger.error({ err: error, filters }, "the broker refused a subscription");
      });
    });
    client.on("error", (error) => logger.warn({ err: error }, "broker connection"));
    clients.push(client);
    return client;
  };

  for (let index = 0; index < CONNECTIONS; index += 1) {
    const client = join(`mulkko-api-up-${index}`, readings);
    // The broker keeps the session, and with it what an earlier configuration subscribed.
    if (unwanted.length > 0) {
      client.on("connect", () => {
        client.unsubscribe(unwanted, (error) => {
          if (error) logger.warn({ err: error, unwanted }, "the broker kept a subscription");
        });
      });
    }
  }
  const main = join("mulkko-api-states", ORDERED_FILTERS);

  // On a session of its own that ends with the connection: what valves said while nobody listened is asked for anew.
  let followed: readonly string[] = [];
  const valves = join("mulkko-api-valves", [], true);
  const subscribeValves = (): void => {
    if (followed.length === 0) return;
    valves.subscribe([...followed], HOW, (error) => {
      if (error) logger.error({ err: error }, "the broker refused a subscription to valves");
    });
  };
  valves.on("connect", subscribeValves);

  return {
    kind: "outer",
    follow(filters) {
      const gone = followed.filter((filter) => !filters.includes(filter));
      followed = filters;
      if (!valves.connected) return;
      if (gone.length > 0) valves.unsubscribe(gone, () => undefined);
      subscribeValves();
    },
    publish({ topic, payload, qos }) {
      if (!main.connected) return Promise.reject(new BrokerDownError("the broker is not connected"));
      const sent = main.publishAsync(topic, payload, { qos }).then(() => undefined);
      const late = new Promise<never>((_, reject) => {
        const timer = setTimeout(
          () => reject(new BrokerDownError("the broker does not answer")),
          PUBLISH_TIMEOUT_MS,
        );
        void sent.finally(() => clearTimeout(timer)).catch(() => undefined);
      });
      return Promise.race([sent, late]);
    },
    isUp: () => main.connected,
    hasSession: () => null,
    endSession: () => undefined,
    async close() {
      await Promise.all(clients.map((client) => client.endAsync(true)));
    },
  };
}
