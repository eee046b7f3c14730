import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Aedes, type AedesOptions, type Client } from "aedes";
import type { FastifyBaseLogger } from "fastify";
import { isSecret } from "../devices/device-key.ts";
import type { DeviceDirectory } from "../devices/directory.ts";
import { type Identity, mayPublish, maySubscribe, NETWORK_SERVER_USER, RELAY_USER } from "./access.ts";
import { type Broker, BrokerDownError, type TakeMessage } from "./broker.ts";
import { guardSocket } from "./packet-guard.ts";

/** Most connections at once. */
const MAX_CONNECTIONS = 20_000;
/** Most packets that wait for a client that reads slowly. */
const QUEUE_LIMIT = 500;

/** CONNACK codes of MQTT 3.1.1. */
const BAD_CREDENTIALS = 4;

export interface EmbeddedOptions {
  readonly host: string;
  readonly port: number;
  readonly directory: DeviceDirectory;
  /** Null: there is no relay user. */
  readonly relayKeyHash: Uint8Array | null;
  /** Null: there is no user of a network server. */
  readonly uplinkKeyHash: Uint8Array | null;
  readonly take: TakeMessage;
  /** Told when a device has subscribed to its commands. */
  readonly listens: (serial: number) => void;
  readonly logger: FastifyBaseLogger;
}

export interface EmbeddedBroker extends Broker {
  readonly kind: "embedded";
  /** The port that was taken. */
  readonly port: number;
}

/** A broker inside this process: each device has a key, and uses its own topics only. */
export async function startEmbeddedBroker(options: EmbeddedOptions): Promise<EmbeddedBroker> {
  const { directory, relayKeyHash, uplinkKeyHash, take, listens, logger } = options;
  const identities = new WeakMap<Client, Identity>();
  const connections = new WeakMap<Client, string>();
  const sessions = new Map<number, Set<Client>>();
  let connected = 0;
  let open = true;

  const identify = (username: string | undefined, password: Uint8Array | undefined): Identity | null => {
    if (!username || !password) return null;
    if (username === RELAY_USER) {
      return relayKeyHash && isSecret(password, relayKeyHash) ? { kind: "relay" } : null;
    }
    if (username === NETWORK_SERVER_USER) {
      return uplinkKeyHash && isSecret(password, uplinkKeyHash) ? { kind: "network-server" } : null;
    }
    const device = /^\d{1,15}$/.test(username) ? directory.bySerial(Number(username)) : undefined;
    return device && isSecret(password, device.keyHash)
      ? { kind: "device", serial: device.serial, valves: device.valves }
      : null;
  };

  const handlers: AedesOptions = {
    queueLimit: QUEUE_LIMIT,
    maxClientsIdLength: 256,
    preConnect(_client, packet, done) {
      // A session that outlives its connection would hand over commands of yesterday, and grow without end.
      packet.clean = true;
      // A client's name is its own only together with its user: nobody may push another device off the line.
      packet.clientId = `${packet.username ?? ""}/${packet.clientId}`;
      done(null, true);
    },
    authenticate(client, username, password, done) {
      const identity = identify(username, password);
      if (!identity) {
        const refusal = Object.assign(new Error("bad user name or password"), {
          returnCode: BAD_CREDENTIALS,
        });
        logger.warn({ username: username?.slice(0, 32) }, "the broker refused a connection");
        return done(refusal, false);
      }
      connected += 1;
      identities.set(client, identity);
      connections.set(client, `${client.id}#${connected}`);
      done(null, true);
    },
    authorizePublish(client, packet, done) {
      // While this process stops, the last wills that its own leaving sets off are not the devices' word.
      if (!open) return done(new BrokerDownError("the broker is closing"));
      const identity = client && identities.get(client);
      if (!client || !identity || !mayPublish(identity, packet.topic)) {
        return done(new Error(`not allowed to publish ${packet.topic.slice(0, 128)}`));
      }
      // Only states and the line are kept; readings have a database.
      const isOfValves = identity.kind === "device" && identity.valves !== null;
      if (identity.kind === "network-server" || isOfValves || packet.topic.endsWith("/up"))
        packet.retain = false;
      const { topic, payload, dup } = packet;
      take({
        topic,
        payload: typeof payload === "string" ? Buffer.from(payload) : payload,
        duplicate: dup === true,
        retained: false,
        connection: connections.get(client) ?? client.id,
      }).then(
        () => done(null),
        (error: unknown) => {
          logger.debug({ err: error, topic }, "message was not taken; its sender will try again");
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
    authorizeSubscribe(client, subscription, done) {
      const identity = identities.get(client);
      // Null refuses this one filter and leaves the connection.
      done(null, identity && maySubscribe(identity, subscription.topic) ? subscription : null);
    },
  };

  const aedes = await Aedes.createBroker(handlers);
  aedes.on("clientReady", (client) => {
    const identity = identities.get(client);
    if (identity?.kind !== "device") return;
    const own = sessions.get(identity.serial) ?? new Set();
    sessions.set(identity.serial, own.add(client));
  });
  aedes.on("clientDisconnect", (client) => {
    const identity = identities.get(client);
    if (identity?.kind !== "device") return;
    const own = sessions.get(identity.serial);
    own?.delete(client);
    if (own?.size === 0) sessions.delete(identity.serial);
  });
  aedes.on("subscribe", (subscriptions, client) => {
    const identity = client && identities.get(client);
    if (identity?.kind !== "device") return;
    if (subscriptions.some(({ topic }) => topic.includes("/ch/") || topic.endsWith("#"))) {
      listens(identity.serial);
    }
  });
  aedes.on("clientError", (client, error) => logger.debug({ err: error, client: client.id }, "client error"));
  aedes.on("connectionError", (_client, error) => logger.debug({ err: error }, "connection error"));

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    guardSocket(socket);
    socket.setNoDelay(true);
    aedes.handle(socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(options.port, options.host);
  await once(server, "listening");
  server.on("error", (error) => logger.error({ err: error }, "broker server error"));
  const { port } = server.address() as AddressInfo;

  return {
    kind: "embedded",
    port,
    publish: ({ topic, payload, qos }) => {
      if (!open) return Promise.reject(new BrokerDownError("the broker is closed"));
      return new Promise((resolve, reject) => {
        aedes.publish(
          { cmd: "publish", topic, payload: Buffer.from(payload), qos, retain: false, dup: false },
          (error) => (error ? reject(error) : resolve()),
        );
      });
    },
    follow: () => undefined,
    isUp: () => open,
    hasSession: (serial) => sessions.has(serial),
    endSession(serial) {
      for (const client of sessions.get(serial) ?? []) client.close();
    },
    close: async () => {
      open = false;
      server.close();
      await new Promise<void>((resolve) => aedes.close(resolve));
      // Those that never said who they are.
      for (const socket of sockets) socket.destroy();
    },
  };
}
