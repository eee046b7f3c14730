import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connectionsWithin, fileHandles } from "@mulkko/shared/server/file-handles";
import {
  Aedes,
  type AedesOptions,
  type AedesPublishPacket,
  type AuthenticateError,
  type Client,
  type PublishPacket,
} from "aedes";
import type { FastifyBaseLogger } from "fastify";
import { MAX_MESSAGE_BYTES } from "../decode/fields.ts";
import {
  type Broker,
  BrokerDownError,
  type CutReason,
  type HandleMessage,
  type OutMessage,
} from "../devices/broker.ts";
import { type Identify, type Identity, mayPublish, maySubscribe } from "./access.ts";
import { type HealthCheck, startHealthCheck } from "./health-check.ts";
import {
  ACCEPT_QUEUE,
  CONNECT_WITHIN_MS,
  DEVICE_PACE,
  DRAIN_WITHIN_MS,
  MAX_CONNECTIONS,
  MAX_FILTERS,
  MAX_HALF_OPEN,
  MAX_KEY_CONNECTIONS,
  MAX_RELAY_WAITING_BYTES,
  MAX_WAITING_BYTES,
  NETWORK_SERVER_PACE,
} from "./limits.ts";
import { createPacer, type Pacer } from "./pacer.ts";
import { guardSocket } from "./packet-guard.ts";
import { UnknownConnections } from "./unknown-connections.ts";

/** Most packets of a connection that wait for its authentication. */
const QUEUE_LIMIT = 500;

/** CONNACK codes of MQTT 3.1.1. */
const BAD_CREDENTIALS = 4;

/**
 * CONNACK of MQTT 5 with the reason "unsupported protocol version": such a client cannot read that of 3.1.1.
 */
const UNSUPPORTED_VERSION = Uint8Array.of(0x20, 3, 0, 0x84, 0);
/** Remembered names of recent MQTT 5 clients; each is reported once per period, ms. */
const MAX_NEWCOMERS = 200;
const SAY_AGAIN_MS = 10 * 60_000;

const HEALTH_CHECK_TOPIC = "$SYS/mulkko/pulse";
const now = (): number => performance.now();

/** State shared by all connections of one key. */
interface Key {
  /** Oldest first. */
  readonly clients: Set<Client>;
  readonly pacer: Pacer;
}

/** An authenticated connection. */
interface Line {
  readonly identity: Identity;
  readonly key: Key;
  /** Names the connection. */
  readonly name: string;
  readonly filters: Set<string>;
  /** True once it has subscribed to commands. */
  obeys: boolean;
  /** Bytes handed to the socket in this turn of the event loop and not yet written. */
  handedOver: number;
}

export interface EmbeddedOptions {
  readonly host: string;
  readonly port: number;
  readonly identify: Identify;
  readonly handle: HandleMessage;
  /** Called at intervals for a message that a device may not publish, and for a device that uses MQTT 5. */
  readonly refused: (
    message: { topic: string; payload: Uint8Array },
    serial: number,
    reason: "unknown-topic" | "mqtt-5",
  ) => void;
  /** Called when a device has subscribed to its commands. */
  readonly subscribed: (serial: number) => void;
  /**
   * Called when the last connection of a device that obeyed commands has broken, without a DISCONNECT
   * (WILL-2).
   */
  readonly lost: (serial: number) => void;
  readonly logger: FastifyBaseLogger;
}

/**
 * Return a filter that passes each name once per period. It is bounded, because a client may use any name.
 */
function createReminder(): (name: string) => boolean {
  const saidAt = new Map<string, number>();
  return (name) => {
    const at = now();
    for (const [known, said] of saidAt) if (at - said >= SAY_AGAIN_MS) saidAt.delete(known);
    if (saidAt.has(name) || saidAt.size >= MAX_NEWCOMERS) return false;
    saidAt.set(name, at);
    return true;
  };
}

/** Return true for a client that ended its connection by a DISCONNECT; the library publishes no will of it. */
const saidGoodbye = (client: Client): boolean => Reflect.get(client, "_disconnected") === true;

/**
 * A broker in this process. Each device has a key and uses its own topics only.
 *
 * | a connection | becomes | when |
 * | --- | --- | --- |
 * | unknown | entered | its name and key are right |
 * | unknown | ended | they are not, it speaks MQTT 5, or it is the one that has to end for another unknown one |
 * | entered | in session | a device's CONNECT is answered |
 * | in session | obeying | it subscribes to commands |
 * | any with a key | ended | it does not read, it is the oldest of too many of its key, or its session is ended |
 * | obeying | lost | it closes without a DISCONNECT, while the broker is open, as the last one of its key (WILL-2) |
 */
export class EmbeddedBroker implements Broker {
  readonly kind = "embedded";
  readonly #options: EmbeddedOptions;
  /** Most connections that this process may hold. */
  readonly #most: number;
  readonly #aedes: Aedes;
  readonly #server: Server;
  readonly #healthCheck: HealthCheck;
  readonly #lines = new WeakMap<Client, Line>();
  readonly #keys = new Map<string, Key>();
  readonly #sessions = new Map<number, Set<Client>>();
  readonly #sockets = new Set<Socket>();
  readonly #unknown: UnknownConnections<Duplex>;
  readonly #cuts: Record<CutReason, number> = {
    "slow-reader": 0,
    "too-many-connections": 0,
    "no-key": 0,
    "no-room": 0,
    "wrong-key": 0,
  };
  readonly #isUnsaid = createReminder();
  readonly #isUnsaidRefusal = createReminder();
  readonly #isUnsaidFull = createReminder();
  #connected = 0;
  #isOpen = true;
  #port = 0;
  /** Called when the broker has forwarded the message of the health check. */
  #arrived = (): void => undefined;

  private constructor(options: EmbeddedOptions, most: number) {
    this.#options = options;
    this.#most = most;
    this.#unknown = new UnknownConnections(Math.ceil(most / 2));
    this.#aedes = new Aedes(this.#handlers());
    this.#healthCheck = startHealthCheck((onMessage) => this.#beat(onMessage), now);
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = most;
    this.#server.on("drop", () => this.#dropped());
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedBroker> {
    const broker = new EmbeddedBroker(options, connectionsWithin(await fileHandles(), MAX_CONNECTIONS));
    await broker.#listen();
    return broker;
  }

  /** The bound port. */
  get port(): number {
    return this.#port;
  }

  publish({ topic, payload, qos }: OutMessage): Promise<void> {
    if (!this.#isOpen) return Promise.reject(new BrokerDownError("the broker is closed"));
    return new Promise((resolve, reject) => {
      this.#aedes.publish(
        { cmd: "publish", topic, payload: Buffer.from(payload), qos, retain: false, dup: false },
        (error) => (error ? reject(error) : resolve()),
      );
    });
  }

  follow(): void {
    // It receives all topics already.
  }

  isUp(): boolean {
    return this.#isOpen && this.#healthCheck.isAlive();
  }

  hasRoom(): boolean {
    return this.#sockets.size < this.#most;
  }

  cuts(): Readonly<Partial<Record<CutReason, number>>> {
    return { ...this.#cuts };
  }

  hasSession(serial: number): boolean {
    return this.#sessions.has(serial);
  }

  endSession(serial: number): void {
    for (const client of this.#sessions.get(serial) ?? []) client.close();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#healthCheck.stop();
    this.#server.close();
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
    // Sockets that never authenticated.
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(): Promise<void> {
    const { host, port, logger } = this.#options;
    await this.#aedes.listen();
    this.#followClients();
    this.#aedes.subscribe(
      HEALTH_CHECK_TOPIC,
      (_packet, next) => {
        this.#arrived();
        next();
      },
      () => undefined,
    );
    this.#server.listen({ port, host, backlog: ACCEPT_QUEUE });
    await once(this.#server, "listening");
    this.#server.on("error", (error) =>
      logger.error({ event: "mqtt-server-error", err: error }, "MQTT server error"),
    );
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #beat(onMessage: () => void): void {
    this.#arrived = onMessage;
    const beat = {
      cmd: "publish",
      topic: HEALTH_CHECK_TOPIC,
      payload: "",
      qos: 0,
      retain: false,
      dup: false,
    } as const;
    this.#aedes.publish(beat, () => undefined);
  }

  #accept(socket: Socket): void {
    const idle = this.#unknown.add(socket, socket.remoteAddress ?? "");
    if (idle) {
      this.#cuts["no-key"] += 1;
      idle.destroy();
    }
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#unknown.remove(socket);
    });
    guardSocket(socket);
    socket.setNoDelay(true);
    this.#aedes.handle(socket);
  }

  #dropped(): void {
    this.#cuts["no-room"] += 1;
    if (!this.#isUnsaidFull("")) return;
    this.#options.logger.error(
      { event: "mqtt-no-room", connections: this.#most },
      "refused MQTT connections: as many as this process may hold are open",
    );
  }

  #handlers(): AedesOptions {
    return {
      // No queue between publishers and subscribers (ADR 17): unread messages are bounded below.
      concurrency: 0,
      connectTimeout: CONNECT_WITHIN_MS,
      drainTimeout: DRAIN_WITHIN_MS,
      maxInflightInbound: MAX_HALF_OPEN,
      queueLimit: QUEUE_LIMIT,
      maxClientsIdLength: 256,
      preConnect: (client, packet, done) => {
        if (packet.protocolVersion === 5) {
          this.#sayNewcomer(packet.username, packet.password);
          client.conn.end(UNSUPPORTED_VERSION, () => done(new Error("MQTT 5 is not supported"), false));
          return;
        }
        // A persistent session would deliver outdated commands and grow without limit.
        packet.clean = true;
        // A client id counts only together with its user, so no client can disconnect another device. A client
        // without an id gets one, or two of one key would disconnect each other.
        packet.clientId = `${packet.username ?? ""}/${packet.clientId || randomUUID()}`;
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        const identity = this.#options.identify(username, password);
        if (!username || !identity) return done(this.#refusal(username), false);
        this.#enter(client, username, identity);
        done(null, true);
      },
      authorizePublish: (client, packet, done) => {
        this.#handlePublish(client, packet).then(
          () => done(null),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
      },
      authorizeSubscribe: (client, subscription, done) => {
        this.#grant(client, subscription.topic).then(
          // Null refuses this filter and keeps the connection.
          (granted) => done(null, granted ? subscription : null),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
      },
      authorizeForward: (client, packet) => (this.#mayForward(client, packet) ? packet : null),
    };
  }

  #followClients(): void {
    const { subscribed, logger } = this.#options;
    this.#aedes.on("clientReady", (client) => {
      const identity = this.#lines.get(client)?.identity;
      if (identity?.kind !== "device" || client.conn.destroyed) return;
      const own = this.#sessions.get(identity.serial) ?? new Set();
      this.#sessions.set(identity.serial, own.add(client));
    });
    this.#aedes.on("subscribe", (subscriptions, client) => {
      const line = client && this.#lines.get(client);
      if (line?.identity.kind !== "device") return;
      if (subscriptions.some(({ topic }) => topic.includes("/ch/") || topic.endsWith("#"))) {
        line.obeys = true;
        subscribed(line.identity.serial);
      }
    });
    this.#aedes.on("unsubscribe", (filters, client) => {
      const own = this.#lines.get(client)?.filters;
      for (const filter of filters) own?.delete(filter);
    });
    this.#aedes.on("clientError", (client, error) =>
      logger.debug({ event: "mqtt-client-error", err: error, client: client.id }, "MQTT client error"),
    );
    this.#aedes.on("connectionError", (_client, error) =>
      logger.debug({ event: "mqtt-connection-error", err: error }, "MQTT connection error"),
    );
  }

  /** Log a client of MQTT 5, and list it under its device if its key is right. */
  #sayNewcomer(username: string | undefined, password: Uint8Array | undefined): void {
    const { identify, refused, logger } = this.#options;
    const identity = identify(username, password);
    const name = (username ?? "").slice(0, 32);
    if (!this.#isUnsaid(name)) return;
    logger.warn(
      { event: "mqtt5-refused", username: name },
      "refused a client that speaks MQTT 5: this broker speaks MQTT 3.1.1 (docs/devices.md, MQTT 5)",
    );
    if (identity?.kind !== "device") return;
    refused({ topic: "$connect", payload: Buffer.from("MQTT 5") }, identity.serial, "mqtt-5");
  }

  #refusal(username: string | undefined): AuthenticateError {
    const refusal = Object.assign(new Error("bad user name or password"), { returnCode: BAD_CREDENTIALS });
    this.#cuts["wrong-key"] += 1;
    const name = (username ?? "").slice(0, 32);
    // Everyone can cause this line.
    if (this.#isUnsaidRefusal(name)) {
      this.#options.logger.warn(
        { event: "mqtt-connection-refused", username: name },
        "refused MQTT connection",
      );
    }
    return refusal;
  }

  #keyOf(username: string, identity: Identity): Key {
    const known = this.#keys.get(username);
    if (known) return known;
    const pace = identity.kind === "network-server" ? NETWORK_SERVER_PACE : DEVICE_PACE;
    const key: Key = { clients: new Set(), pacer: createPacer(pace, now) };
    this.#keys.set(username, key);
    return key;
  }

  #cut(client: Client, reason: CutReason, waiting?: number): void {
    this.#cuts[reason] += 1;
    this.#options.logger.warn(
      { event: "mqtt-client-disconnected", client: client.id, reason, waiting },
      "disconnected MQTT client",
    );
    client.conn.destroy();
  }

  #enter(client: Client, username: string, identity: Identity): void {
    const key = this.#keyOf(username, identity);
    const [oldest] = key.clients;
    if (oldest && key.clients.size >= MAX_KEY_CONNECTIONS) this.#cut(oldest, "too-many-connections");
    key.clients.add(client);
    this.#connected += 1;
    this.#unknown.remove(client.conn);
    const line: Line = {
      ...{ identity, key, name: `${client.id}#${this.#connected}` },
      ...{ filters: new Set<string>(), obeys: false, handedOver: 0 },
    };
    this.#lines.set(client, line);
    client.conn.once("close", () => this.#left(client, username, line));
  }

  #left(client: Client, username: string, { identity, key, obeys }: Line): void {
    key.clients.delete(client);
    if (key.clients.size === 0 && this.#keys.get(username) === key) this.#keys.delete(username);
    if (identity.kind !== "device") return;
    const own = this.#sessions.get(identity.serial);
    own?.delete(client);
    if (own?.size === 0) this.#sessions.delete(identity.serial);
    // Another connection of the key may be the one that took this client's id over.
    if (this.#isOpen && obeys && key.clients.size === 0 && !saidGoodbye(client)) {
      this.#options.lost(identity.serial);
    }
  }

  async #handlePublish(client: Client | null, packet: PublishPacket): Promise<void> {
    const { handle, refused, logger } = this.#options;
    // While this process stops, last wills caused by its own shutdown do not come from the devices.
    if (!this.#isOpen) throw new BrokerDownError("the broker is closing");
    const line = client && this.#lines.get(client);
    const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
    if (!line || !mayPublish(line.identity, packet.topic)) {
      if (line?.identity.kind === "device")
        refused({ topic: packet.topic, payload }, line.identity.serial, "unknown-topic");
      throw new Error(`not allowed to publish ${packet.topic.slice(0, 128)}`);
    }
    const { identity, key, name } = line;
    // Only states and status messages are retained; readings are in the database.
    const isOfValves = identity.kind === "device" && identity.valves !== null;
    if (identity.kind === "network-server" || isOfValves || packet.topic.endsWith("/up"))
      packet.retain = false;
    const { topic, dup } = packet;
    if (payload.byteLength > MAX_MESSAGE_BYTES) packet.retain = false;
    // Do not await without need: no message may overtake those that wait.
    const turn = key.pacer.pass();
    if (turn) await turn;
    try {
      await handle({ topic, payload, duplicate: dup === true, retained: false, connection: name });
    } catch (error) {
      logger.debug(
        { event: "mqtt-message-refused", err: error, topic },
        "refused message; its sender will retry",
      );
      throw error;
    }
  }

  async #grant(client: Client, filter: string): Promise<boolean> {
    const line = this.#lines.get(client);
    if (!line || !maySubscribe(line.identity, filter)) return false;
    if (line.filters.has(filter)) return true;
    if (line.filters.size >= MAX_FILTERS) return false;
    line.filters.add(filter);
    await line.key.pacer.pass();
    return true;
  }

  /**
   * Decide if a message may go to a client. Disconnect a client that does not read, so that it delays no
   * other client.
   */
  #mayForward(client: Client, { payload }: AedesPublishPacket): boolean {
    const line = this.#lines.get(client);
    if (!line || client.conn.destroyed) return false;
    const bytes = payload.length;
    if (bytes > MAX_MESSAGE_BYTES) return false;
    const waiting = client.conn.writableLength + line.handedOver + bytes;
    const most = line.identity.kind === "relay" ? MAX_RELAY_WAITING_BYTES : MAX_WAITING_BYTES;
    if (waiting > most) {
      this.#cut(client, "slow-reader", waiting);
      return false;
    }
    // aedes writes it in the next turn.
    if (line.handedOver === 0) {
      setImmediate(() => {
        line.handedOver = 0;
      });
    }
    line.handedOver += bytes;
    return true;
  }
}

/** The part of the embedded broker that the API uses. */
export type StartedBroker = Pick<EmbeddedBroker, keyof EmbeddedBroker>;
