import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { type UplinkSource, uplinkFilters } from "../uplinks/topics.ts";
import { type Broker, BrokerDownError, type TakeMessage } from "./broker.ts";
import { takeMany, takeOneByOne } from "./outer-lines.ts";
import { WINDOW } from "./window.ts";

const RECONNECT_MS = 2_000;
const PUBLISH_TIMEOUT_MS = 4_000;
/** Most bytes of outputs that wait for a broker which does not read; more are not sent. */
const MAX_UNSENT_BYTES = 8 * 2 ** 20;
/** For what was taken to be stored, and as long for its acknowledgements to be read, when this process ends, ms. */
const CLOSE_WITHIN_MS = 3_000;

/** Readings, which may overtake each other; states and lines go over a connection of their own, one by one. */
const UP_FILTER = "mulkko/+/up";
const ORDERED_FILTERS = ["mulkko/+/ch/+/state", "mulkko/+/status"];

/** What the broker keeps of a topic comes with a new subscription only, not with each connection. */
const HOW = { qos: 1, rh: 1 } as const;

export interface OuterOptions {
  readonly url: string;
  /** Network servers whose uplinks are on this broker. */
  readonly uplinkTopics: UplinkSource | "off";
  readonly take: TakeMessage;
  readonly logger: FastifyBaseLogger;
}

/** Says goodbye, and waits for the broker to end the line: by then it has read every acknowledgement before it. */
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

/** A broker elsewhere. Who may connect there, and use which topics, is that broker's own configuration. */
export function connectOuterBroker({ url, uplinkTopics, take, logger }: OuterOptions): Broker {
  const uplinks = uplinkFilters(uplinkTopics);
  const unwanted = uplinkFilters("both").filter((filter) => !uplinks.includes(filter));
  const clients: MqttClient[] = [];
  /** A connection that ended before its answer is no refusal: while nothing is stored each of them ends so. */
  const complain = (client: MqttClient, fields: object, text: string): void =>
    client.connected ? logger.error(fields, text) : logger.debug(fields, text);

  const join = (name: string, filters: readonly string[], options: IClientOptions = {}): MqttClient => {
    const clean = options.clean ?? false;
    const client = connect(url, {
      clientId: name,
      // The broker keeps what comes while this process is away.
      clean,
      reconnectPeriod: RECONNECT_MS,
      // Done below at every connection: a broker that was started anew may have forgotten what was subscribed, and
      // this library leaves out what it subscribed before.
      resubscribe: false,
      protocolVersion: 5,
      ...options,
      properties: { sessionExpiryInterval: clean ? 0 : 86_400, ...options.properties },
    });
    client.on("connect", () => {
      if (filters.length === 0) return;
      client.subscribe([...filters], HOW, (error) => {
        if (error) complain(client, { err: error, filters }, "the broker refused a subscription");
      });
    });
    client.on("error", (error) => logger.debug({ err: error }, "broker connection"));
    clients.push(client);
    return client;
  };

  const readings = join("mulkko-api-readings", [UP_FILTER, ...uplinks], {
    // What the broker sends ahead of acknowledgements, whatever it allows by itself.
    properties: { receiveMaximum: WINDOW },
  });
  // The broker keeps the session, and with it what an earlier configuration subscribed.
  if (unwanted.length > 0) {
    readings.on("connect", () => {
      readings.unsubscribe(unwanted, (error) => {
        if (error) complain(readings, { err: error, unwanted }, "the broker kept a subscription");
      });
    });
  }
  const window = takeMany({ client: readings, name: "readings", take, logger });
  const main = join("mulkko-api-states", ORDERED_FILTERS);
  takeOneByOne({ client: main, name: "states", take, logger });

  // On a session of its own that ends with the connection: what valves said while nobody listened is asked for anew.
  let followed: readonly string[] = [];
  const valves = join("mulkko-api-valves", [], { clean: true });
  takeOneByOne({ client: valves, name: "valves", take, logger });
  const subscribeValves = (): void => {
    if (followed.length === 0) return;
    valves.subscribe([...followed], HOW, (error) => {
      if (error) complain(valves, { err: error }, "the broker refused a subscription to valves");
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
          return Promise.reject(new BrokerDownError("the broker does not read"));
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
    hasSession: () => null,
    endSession: () => undefined,
    async close() {
      await Promise.race([window.drain(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      await Promise.all(clients.map(leave));
    },
  };
}
