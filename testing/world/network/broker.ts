import { type OutTopic, parseOutTopic } from "@mulkko/shared/mqtt/topics";
import type { Timer } from "@mulkko/shared/rules/clock";
import { BrokerDownError } from "../../../api/src/devices/broker.ts";
import { type Identity, mayPublish, maySubscribe } from "../../../api/src/mqtt/access.ts";
import type { EmbeddedOptions, StartedBroker } from "../../../api/src/mqtt/embedded.ts";
import type { Line } from "./line.ts";
import { Wire } from "./line.ts";
import type { Process } from "./machine.ts";
import type { WorldTime } from "./world-time.ts";

/** Callbacks of a client of the broker. */
export interface MqttListener {
  connected(): void;
  message(topic: string, payload: Buffer): void;
  /** The connection is over; `refused` for a wrong key. */
  closed(why: "lost" | "refused"): void;
}

/** A connection of a client to the broker. */
export interface MqttConnection {
  /** Publish with QoS 1; `acknowledged` once the broker has the message. */
  publish(message: MqttMessage, acknowledged: () => void): void;
  subscribe(filter: string): void;
  /** Ask for a sign of life; `answered` when it comes. */
  ping(answered: () => void): void;
  /** Leave with a DISCONNECT: no will is published. */
  leave(): void;
  /** Drop the connection. */
  destroy(): void;
}

export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
  readonly duplicate: boolean;
  /** When its sender made it, true time, ms UTC. No machine reads it. */
  readonly madeAt: number;
}

/** Callback for a message that was taken, with its arrival in true time, ms UTC. */
type Taken = (message: MqttMessage, arrivedAt: number) => void;

export interface MqttLogin {
  readonly username: string;
  readonly password: string;
  readonly keepAliveMs: number;
  readonly will: { readonly topic: string; readonly payload: string } | null;
}

interface Client {
  readonly name: string;
  readonly identity: Identity;
  readonly username: string;
  readonly will: MqttLogin["will"];
  readonly filters: Set<string>;
  obeys: boolean;
  saidGoodbye: boolean;
  send(topic: string, payload: Buffer): void;
  /** End the connection from the broker's side. */
  end(): void;
}

/** Silence after which the broker takes a connection for lost, as a share of its keep-alive. */
const SILENT_KEEP_ALIVES = 1.5;

function matches(filter: string, topic: string): boolean {
  const wanted = filter.split("/");
  const parts = topic.split("/");
  for (const [place, level] of wanted.entries()) {
    if (level === "#") return true;
    if (level !== "+" && level !== parts[place]) return false;
  }
  return wanted.length === parts.length;
}

/**
 * The API's own broker, as its clients meet it: clean sessions, retained messages until it ends, wills, a keep-alive.
 * It lives and dies with the API's process.
 */
export class WorldBroker {
  readonly #time: WorldTime;
  readonly #clients = new Set<Client>();
  readonly #retained = new Map<string, Buffer>();
  #options: EmbeddedOptions | null = null;
  #process: Process | null = null;
  #connections = 0;
  readonly #takers: Taken[] = [];
  /** Called for every packet of a device that the broker has received. */
  onPacket: (serial: number) => void = () => undefined;
  /** Called when the broker has noticed that a device's last connection is over. */
  onLost: (serial: number) => void = () => undefined;

  constructor(time: WorldTime) {
    this.#time = time;
  }

  /** Call back for every message of a device that the API has taken. */
  onTaken(taken: Taken): void {
    this.#takers.push(taken);
  }

  /** Begin with the API. */
  start(options: EmbeddedOptions, process: Process): StartedBroker {
    this.#options = options;
    this.#process = process;
    this.#clients.clear();
    this.#retained.clear();
    let isOpen = true;
    const isUp = (): boolean => isOpen && process.isAlive();
    return {
      kind: "embedded",
      port: 1883,
      publish: async ({ topic, payload }) => {
        if (!isUp()) throw new BrokerDownError("the broker is closed");
        this.#forward(topic, Buffer.from(payload));
      },
      follow: () => undefined,
      isUp,
      hasRoom: () => true,
      cuts: () => ({}),
      hasSession: (serial) => this.#sessionsOf(serial).length > 0,
      endSession: (serial) => {
        for (const client of this.#sessionsOf(serial)) client.end();
      },
      close: async () => {
        isOpen = false;
        this.#options = null;
        for (const client of [...this.#clients]) client.end();
      },
    };
  }

  #sessionsOf(serial: number): Client[] {
    return [...this.#clients].filter(
      ({ identity }) => identity.kind === "device" && identity.serial === serial,
    );
  }

  #forward(topic: string, payload: Buffer): void {
    for (const client of this.#clients) {
      if ([...client.filters].some((filter) => matches(filter, topic))) client.send(topic, payload);
    }
  }

  /** Connect over a line, as a device or a relay. */
  connect(line: Line, login: MqttLogin, listener: MqttListener): MqttConnection {
    let client: Client | null = null;
    let silence: Timer | null = null;
    let isOver = false;
    const over = (why: "lost" | "refused"): void => {
      if (isOver) return;
      isOver = true;
      listener.closed(why);
    };
    const left = (): void => {
      silence?.cancel();
      if (client) this.#leave(client);
      client = null;
    };
    const wire = new Wire(line, this.#time, { near: () => over("lost"), far: left }, { isNew: true });
    const dropped = (): void => {
      wire.far.close();
      left();
    };
    const received = (): void => {
      silence?.cancel();
      silence = this.#process?.timers.after(login.keepAliveMs * SILENT_KEEP_ALIVES, dropped) ?? null;
      if (client?.identity.kind === "device") this.onPacket(client.identity.serial);
    };
    if (line.isCut || !line.far.isOn) {
      line.refuse(() => over("lost"));
      wire.near.close();
    }
    wire.near.send(() => {
      const options = this.#options;
      const identity = options?.identify(login.username, Buffer.from(login.password)) ?? null;
      if (options === null) return dropped();
      if (identity === null) {
        wire.far.send(() => over("refused"));
        return dropped();
      }
      this.#connections += 1;
      // A client id is its own only once: the newer connection takes it over, without a will.
      for (const other of this.#clients) {
        if (identity.kind !== "device" || other.username !== login.username) continue;
        other.saidGoodbye = true;
        other.end();
      }
      client = {
        name: `${login.username}#${this.#connections}`,
        identity,
        username: login.username,
        will: login.will,
        filters: new Set(),
        obeys: false,
        saidGoodbye: false,
        send: (topic, payload) => wire.far.send(() => listener.message(topic, payload)),
        end: dropped,
      };
      this.#clients.add(client);
      received();
      wire.far.send(() => listener.connected());
    });
    return {
      publish: (message, acknowledged) =>
        wire.near.send(() => {
          received();
          const from = client;
          if (from) {
            this.#publish(from, message).then(
              () => wire.far.send(acknowledged),
              () => dropped(),
            );
          }
        }),
      subscribe: (filter) =>
        wire.near.send(() => {
          received();
          if (client) this.#subscribe(client, filter);
        }),
      ping: (answered) =>
        wire.near.send(() => {
          received();
          if (client) wire.far.send(answered);
        }),
      leave() {
        wire.near.send(() => {
          if (client) client.saidGoodbye = true;
          left();
        });
        isOver = true;
        wire.near.close();
      },
      destroy() {
        isOver = true;
        wire.near.close();
      },
    };
  }

  async #publish(client: Client, message: MqttMessage): Promise<void> {
    const { topic, payload, retain, duplicate } = message;
    const options = this.#options;
    if (!options) throw new BrokerDownError("the broker is closing");
    if (!mayPublish(client.identity, topic)) throw new Error(`not allowed to publish ${topic}`);
    const bytes = Buffer.from(payload);
    const arrivedAt = this.#time.now;
    await options.handle({ topic, payload: bytes, duplicate, retained: false, connection: client.name });
    if (!this.#process?.isAlive()) throw new BrokerDownError("the broker has ended");
    for (const taken of this.#takers) taken(message, arrivedAt);
    if (retain && !topic.endsWith("/up")) this.#retained.set(topic, bytes);
    this.#forward(topic, bytes);
  }

  #subscribe(client: Client, filter: string): void {
    if (!maySubscribe(client.identity, filter)) return;
    client.filters.add(filter);
    for (const [topic, payload] of this.#retained) if (matches(filter, topic)) client.send(topic, payload);
    if (client.identity.kind !== "device" || !filter.includes("/ch/")) return;
    client.obeys = true;
    this.#options?.subscribed(client.identity.serial);
  }

  #leave(client: Client): void {
    if (!this.#clients.delete(client)) return;
    const options = this.#options;
    if (client.saidGoodbye || options === null || !this.#process?.isAlive()) return;
    if (client.will) {
      const { topic, payload } = client.will;
      const message = { topic, payload, retain: true, duplicate: false, madeAt: this.#time.now };
      // A will that is not stored is lost, as at the real broker.
      this.#publish(client, message).catch(() => undefined);
    }
    const { identity } = client;
    if (identity.kind !== "device" || !client.obeys) return;
    if (this.#sessionsOf(identity.serial).length > 0) return;
    this.onLost(identity.serial);
    options.lost(identity.serial);
  }
}

/** Return the topic of a message to the relay; null for any other. */
export const outTopicOf = (topic: string): OutTopic | null => parseOutTopic(topic);
