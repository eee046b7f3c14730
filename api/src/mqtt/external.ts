import { setTimeout as wait } from "node:timers/promises";
import { OutageReasons } from "@mulkko/shared/server/outage-reasons";
import type { FastifyBaseLogger } from "fastify";
import { connect, type IClientOptions, type IPublishPacket, type MqttClient } from "mqtt";
import { generate } from "mqtt-packet";
import {
  type Broker,
  BrokerDownError,
  type CutReason,
  type HandleMessage,
  type OutMessage,
} from "../devices/broker.ts";
import { MAX_BATCH } from "../ingest/batcher.ts";
import { type UplinkSource, uplinkFilters } from "../ingest/lorawan/topics.ts";

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

/** Reason code of MQTT 5 for a session that another connection with the same client id has taken. */
const SESSION_TAKEN_OVER = 0x8e;
/** Connections that the broker ends within {@link TAKEN_WITHIN_MS} for a reason that it does not tell. */
const ENDS_OF_TAKEN = 3;
const TAKEN_WITHIN_MS = 60_000;

/**
 * Notice that another process uses the client id of a session: both connect again and again, and the broker ends the
 * other's connection each time. Not every broker gives a reason (Mosquitto 2.0.11 does not).
 *
 * @param report called once, until a connection has lasted for a minute
 */
function watchTakeovers(client: MqttClient, report: () => void): { expectEnd(): void } {
  let isConnected = false;
  let isExpected = false;
  let isReported = false;
  let ends: number[] = [];
  const count = (): void => {
    const now = performance.now();
    ends = ends.filter((at) => now - at < TAKEN_WITHIN_MS);
    if (ends.length === 0) isReported = false;
    ends = [...ends, now].slice(-ENDS_OF_TAKEN);
  };
  const reportOnce = (): void => {
    if (isReported) return;
    isReported = true;
    report();
  };
  client.on("connect", () => {
    isConnected = true;
    isExpected = false;
  });
  client.on("disconnect", ({ reasonCode }) => {
    if (reasonCode === SESSION_TAKEN_OVER) reportOnce();
  });
  client.on("close", () => {
    const isOfBroker = isConnected && !isExpected && !client.disconnecting;
    isConnected = false;
    if (!isOfBroker) return;
    count();
    if (ends.length === ENDS_OF_TAKEN) reportOnce();
  });
  return {
    /** The next end is this process's own. */
    expectEnd() {
      isExpected = true;
    },
  };
}

/** The broker sends retained messages with a new subscription only, not with each connection. */
const HOW = { qos: 1, rh: 1 } as const;

export interface ExternalBrokerOptions {
  readonly url: string;
  /** Id of this installation: two of them on one broker have sessions of their own. */
  readonly installation: string;
  /** Network servers whose uplinks are on this broker. */
  readonly uplinkTopics: UplinkSource | "off";
  readonly handle: HandleMessage;
  readonly logger: FastifyBaseLogger;
}

/** One session at the broker; it outlives its connections. */
interface Session {
  readonly client: MqttClient;
  /** Handle a message. Resolve once it is stored. */
  store(packet: IPublishPacket): Promise<void>;
  /** End this connection, so that the broker sends all unacknowledged messages again on the next one. */
  breakOff(stream: MqttClient["stream"], error: unknown, topic: string): void;
}

/** Acknowledge each message before taking the next one, so that their order is kept. */
function storeOneByOne({ client, store, breakOff }: Session): void {
  client.handleMessage = (packet, done) => {
    const { stream } = client;
    store(packet).then(
      // On the next connection the identifier may be another message's.
      () => (stream.destroyed ? undefined : done()),
      (error: unknown) => breakOff(stream, error, packet.topic),
    );
  };
}

/**
 * MQTT.js acknowledges a message when it is called back without an error, and takes the next one either way.
 */
const NOT_YET = new Error("acknowledged once it is stored");

interface Waiting {
  readonly packet: IPublishPacket;
  readonly stored: Promise<void>;
  state: "handling" | "stored" | "refused";
}

/**
 * Take many messages at once, so that they are stored together (ADR 23). They are acknowledged in order of
 * arrival, as MQTT demands, and never before they are stored. A message is not handled again if only its
 * acknowledgement was lost with the last connection.
 *
 * @returns a function that takes no more messages, and resolves when every one is acknowledged or refused
 */
function storeTogether({ client, store, breakOff }: Session): () => Promise<void> {
  /** Unacknowledged messages of the current and of earlier connections, by identifier, oldest first. */
  let waiting = new Map<number, Waiting>();
  let earlier = new Map<number, Waiting>();
  let current: MqttClient["stream"] | undefined;
  let draining = false;

  const begunEarlier = (packet: IPublishPacket): Promise<void> | undefined => {
    const before = packet.dup ? earlier.get(packet.messageId ?? 0) : undefined;
    const isSame =
      before?.packet.topic === packet.topic &&
      Buffer.from(before.packet.payload).equals(Buffer.from(packet.payload));
    return isSame && before.state !== "refused" ? before.stored : undefined;
  };
  const acknowledge = (stream: MqttClient["stream"]): void => {
    // What is stored after the end of its connection is acknowledged when it comes again.
    if (stream !== current || stream.destroyed) return;
    for (const [messageId, { state }] of waiting) {
      if (state !== "stored") return;
      waiting.delete(messageId);
      stream.write(generate({ cmd: "puback", messageId }));
    }
  };

  client.handleMessage = (packet, done) => {
    const { stream } = client;
    // The broker sends it again: to the next connection, or to the next process.
    if (draining || stream.destroyed) return done(NOT_YET);
    if (stream !== current) {
      current = stream;
      earlier = new Map([...earlier, ...waiting]);
      waiting = new Map();
    }
    const entry: Waiting = { packet, stored: begunEarlier(packet) ?? store(packet), state: "handling" };
    if (packet.qos > 0) waiting.set(packet.messageId ?? 0, entry);
    entry.stored.then(
      () => {
        entry.state = "stored";
        acknowledge(stream);
      },
      (error: unknown) => {
        entry.state = "refused";
        breakOff(stream, error, packet.topic);
      },
    );
    done(NOT_YET);
  };
  return async () => {
    draining = true;
    await Promise.allSettled(Array.from(waiting.values(), ({ stored }) => stored));
  };
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

/**
 * The connection to an external broker. Its own configuration decides who may connect and use which topics.
 *
 * | a session | becomes | when |
 * | --- | --- | --- |
 * | away | connected | the broker accepts it; it subscribes, and an outage is over once all sessions are connected |
 * | connected | away | its connection ends, or a message of it was not stored: the broker will send that again |
 * | away | connected | two seconds later, if the broker accepts it |
 * | any | left | the API stops; taken readings are stored and acknowledged first |
 */
export class ExternalBroker implements Broker {
  readonly kind = "external";
  readonly #options: ExternalBrokerOptions;
  readonly #outage: OutageReasons;
  readonly #sessions: Session[] = [];
  readonly #main: MqttClient;
  readonly #valves: MqttClient;
  /** Takes no more readings, and resolves when every one is acknowledged or refused. */
  readonly #drain: () => Promise<void>;
  #followed: readonly string[] = [];

  constructor(options: ExternalBrokerOptions) {
    this.#options = options;
    this.#outage = new OutageReasons((reason) =>
      options.logger.warn(
        { event: "mqtt-unavailable", reason },
        "MQTT broker unavailable; its messages are not received",
      ),
    );
    const uplinks = uplinkFilters(options.uplinkTopics);
    const readings = this.#join("readings", [UP_FILTER, ...uplinks], {
      // Limit of messages that the broker sends ahead of acknowledgements, whatever its own limit.
      properties: { receiveMaximum: MAX_BATCH },
    });
    this.#leaveEarlier(readings.client, uplinks);
    this.#drain = storeTogether(readings);
    const states = this.#join("states", ORDERED_FILTERS);
    storeOneByOne(states);
    this.#main = states.client;
    // Use a session that ends with the connection: after an outage the API queries the valves again.
    const valveStates = this.#join("valves", [], { clean: true });
    storeOneByOne(valveStates);
    this.#valves = valveStates.client;
    this.#valves.on("connect", () => this.#subscribeValves());
  }

  follow(filters: readonly string[]): void {
    const gone = this.#followed.filter((filter) => !filters.includes(filter));
    this.#followed = filters;
    if (!this.#valves.connected) return;
    if (gone.length > 0) this.#valves.unsubscribe(gone, () => undefined);
    this.#subscribeValves();
  }

  publish({ topic, payload, qos }: OutMessage): Promise<void> {
    const main = this.#main;
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
  }

  isUp(): boolean {
    return this.#main.connected;
  }

  hasRoom(): boolean {
    return true;
  }

  cuts(): Readonly<Partial<Record<CutReason, number>>> {
    return {};
  }

  hasSession(): null {
    return null;
  }

  endSession(): void {
    // Only the broker itself can.
  }

  async close(): Promise<void> {
    await Promise.race([this.#drain(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    await Promise.all(this.#sessions.map(({ client }) => leave(client)));
  }

  /**
   * A connection that ended before its answer is not a refusal: while nothing is stored, each one ends so. The
   * client still counts as connected then, its stream does not.
   */
  #complain(client: MqttClient, event: string, err: Error, text: string, more: object = {}): void {
    const { logger } = this.#options;
    const fields = { event, err, ...more };
    if (client.connected && !client.stream.destroyed) logger.error(fields, text);
    else logger.debug(fields, text);
  }

  #join(name: string, filters: readonly string[], options: IClientOptions = {}): Session {
    const { url, installation, handle, logger } = this.#options;
    const clean = options.clean ?? false;
    const clientId = ["mulkko-api", installation, name].filter((part) => part !== "").join("-");
    const client = connect(url, {
      clientId,
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
          this.#complain(client, "mqtt-subscription-refused", error, "broker refused subscription", {
            filters,
          });
      });
    });
    // A broker may end a connection without a reason.
    let isExplained = false;
    client.on("connect", () => {
      isExplained = true;
      if (this.#sessions.every((session) => session.client.connected)) this.#outage.over();
    });
    client.on("error", (error) => {
      isExplained = true;
      this.#outage.failed(error);
    });
    client.on("close", () => {
      if (!isExplained && !client.disconnecting)
        this.#outage.failed(new Error("the broker ended the connection"));
      isExplained = false;
    });
    const takeovers = watchTakeovers(client, () =>
      logger.warn(
        { event: "mqtt-session-taken", clientId },
        "the broker ends this session again and again: another farm API uses its client id",
      ),
    );
    let connections = 1;
    client.on("close", () => {
      connections += 1;
    });
    const session: Session = {
      client,
      store({ topic, payload, dup: duplicate, retain: retained }) {
        const connection = `${name}#${connections}`;
        return handle({ topic, payload: Buffer.from(payload), duplicate, retained, connection });
      },
      breakOff(stream, err, topic) {
        if (stream.destroyed) return;
        const fields = { event: "mqtt-message-refused", err, topic };
        logger.debug(fields, "refused message; the broker will send it again");
        takeovers.expectEnd();
        stream.destroy();
      },
    };
    this.#sessions.push(session);
    return session;
  }

  /** The broker keeps the session, including subscriptions of an earlier configuration. */
  #leaveEarlier(client: MqttClient, uplinks: readonly string[]): void {
    const unwanted = uplinkFilters("both").filter((filter) => !uplinks.includes(filter));
    if (unwanted.length === 0) return;
    client.on("connect", () => {
      client.unsubscribe(unwanted, (error) => {
        if (error)
          this.#complain(client, "mqtt-unsubscribe-refused", error, "broker kept subscription", { unwanted });
      });
    });
  }

  #subscribeValves(): void {
    const valves = this.#valves;
    if (this.#followed.length === 0) return;
    valves.subscribe([...this.#followed], HOW, (error) => {
      if (error)
        this.#complain(valves, "valve-subscription-refused", error, "broker refused valve subscription");
    });
  }
}
