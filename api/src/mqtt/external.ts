import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { type Broker, BrokerDownError, type HandleMessage } from "../devices/broker.ts";
import { type UplinkSource, uplinkFilters } from "../ingest/lorawan/topics.ts";
import { handleMany, handleOneByOne } from "./external-lines.ts";
import { WINDOW } from "./window.ts";

const RECONNECT_MS = 2_000;
const PUBLISH_TIMEOUT_MS = 4_000;
/** Most bytes of outputs that wait for a broker that does not read; further outputs are dropped. */
const MAX_UNSENT_BYTES = 8 * 2 ** 20;
/** Time to store taken messages at shutdown, and the same again to send their acknowledgements, ms. */
const CLOSE_WITHIN_MS = 3_000;

/**
 * Readings, which may overtake each other; states and status messages use their own connection, one by one.
 */
const UP_FILTER = "mulkko/+/up";
const ORDERED_FILTERS = ["mulkko/+/ch/+/state", "mulkko/+/status"];

/** The broker sends retained messages with a new subscription only, not with each connection. */
const HOW = { qos: 1, rh: 1 } as const;

export interface ExternalBrokerOptions {
  readonly url: string;
  /** Network servers whose uplinks are on this broker. */
  readonly uplinkTopics: UplinkSource | "off";
  readonly handle: HandleMessage;
  readonly logger: FastifyBaseLogger;
}

/** Disconnect, and wait for the broker to end the connection: by then it has read every acknowledgement. */
async function leave(client: MqttClient): Promise<void> {
  if (client.connected) {
    const { stream } = client;
    const ended = new Promise<void>((resolve) => stream.once("close", () => resolve()));
    client.end();
    await Promise.race([ended, wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    stream.destroy();
  }
  await client.endAsync(true);
}

/** Connect to an external broker. Its own configuration decides who may connect and use which topics. */
export function connectExternalBroker({ url, uplinkTopics, handle, logger }: ExternalBrokerOptions): Broker {
  const uplinks = uplinkFilters(uplinkTopics);
  const unwanted = uplinkFilters("both").filter((filter) => !uplinks.includes(filter));
  const clients: MqttClient[] = [];
  /**
   * A connection that ended before its answer is not a refusal: while nothing is stored, each one ends so. The
   * client still counts as connected then, its stream does not.
   */
  const complain = (client: MqttClient, event: string, err: Error, text: string, more: object = {}): void => {
    const fields = { event, err, ...more };
    if (client.connected && !client.stream.destroyed) logger.error(fields, text);
    else logger.debug(fields, text);
  };

  const join = (name: string, filters: readonly string[], options: IClientOptions = {}): MqttClient => {
    const clean = options.clean ?? false;
    const client = connect(url, {
      clientId: name,
      // The broker keeps messages while this process is down.
      clean,
      reconnectPeriod: RECONNECT_MS,
      // Subscribe at every connection instead: a restarted broker may have lost the subscriptions, and this
      // library skips those it made before.
      resubscribe: false,
      protocolVersion: 5,
      ...options,
      properties: { sessionExpiryInterval: clean ? 0 : 86_400, ...options.properties },
    });
    client.on("connect", () => {
      if (filters.length === 0) return;
      client.subscribe([...filters], HOW, (error) => {
        if (error)
          complain(client, "mqtt-subscription-refused", error, "broker refused subscription", { filters });
      });
    });
    client.on("error", (error) =>
      logger.debug({ event: "mqtt-connection-error", err: error }, "MQTT connection error"),
    );
    clients.push(client);
    return client;
  };

  const readings = join("mulkko-api-readings", [UP_FILTER, ...uplinks], {
    // Limit of messages that the broker sends ahead of acknowledgements, whatever its own limit.
    properties: { receiveMaximum: WINDOW },
  });
  // The broker keeps the session, including subscriptions of an earlier configuration.
  if (unwanted.length > 0) {
    readings.on("connect", () => {
      readings.unsubscribe(unwanted, (error) => {
        if (error)
          complain(readings, "mqtt-unsubscribe-refused", error, "broker kept subscription", { unwanted });
      });
    });
  }
  const window = handleMany({ client: readings, name: "readings", handle, logger });
  const main = join("mulkko-api-states", ORDERED_FILTERS);
  handleOneByOne({ client: main, name: "states", handle, logger });

  // Use a session that ends with the connection: after an outage the API queries the valves again.
  let followed: readonly string[] = [];
  const valves = join("mulkko-api-valves", [], { clean: true });
  handleOneByOne({ client: valves, name: "valves", handle, logger });
  const subscribeValves = (): void => {
    if (followed.length === 0) return;
    valves.subscribe([...followed], HOW, (error) => {
      if (error) complain(valves, "valve-subscription-refused", error, "broker refused valve subscription");
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
      if (qos === 0) {
        if (main.stream.writableLength > MAX_UNSENT_BYTES) {
          return Promise.reject(new BrokerDownError("the broker does not read messages"));
        }
        main.publish(topic, payload);
        return Promise.resolve();
      }
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
    cuts: () => ({}),
    hasSession: () => null,
    endSession: () => undefined,
    async close() {
      await Promise.race([window.drain(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      await Promise.all(clients.map(leave));
    },
  };
}
