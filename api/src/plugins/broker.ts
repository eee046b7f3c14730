import type { DeviceBroker } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Broker, InMessage, TakeMessage } from "../broker/broker.ts";
import { startEmbeddedBroker } from "../broker/embedded.ts";
import { connectOuterBroker } from "../broker/outer.ts";
import { deviceBrokerOf } from "../devices/device-broker.ts";
import { hashSecret } from "../devices/device-key.ts";
import { createDeviceDirectory, type DeviceDirectory, type KnownDevice } from "../devices/directory.ts";
import { createListening } from "../devices/listening.ts";
import { createIngest, type Ingest } from "../ingest/ingest.ts";
import { BUNDLED_PROFILES, loadProfiles, type Profiles } from "../uplinks/load-profiles.ts";
import type { UplinkSource } from "../uplinks/topics.ts";

declare module "fastify" {
  interface FastifyInstance {
    directory: DeviceDirectory;
    ingest: Ingest;
    /** How messages of network servers are read, by the name that devices carry in `profile`. */
    profiles: Profiles;
    /** Present once the server is ready. */
    broker: Broker;
    /** To be told, a moment after, that a device has begun to listen to its commands. */
    whenListening: (listener: (device: KnownDevice) => void) => void;
    /** To be given a device's message before anybody else; answers whether it was meant for it. */
    takeFirst: (taker: (message: InMessage) => Promise<boolean>) => void;
    /** Port of the embedded broker; null where the broker is elsewhere. */
    mqttPort: number | null;
    /** The broker as devices reach it. */
    deviceBroker: DeviceBroker;
  }
}

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** A broker elsewhere; undefined: one in this process. */
  readonly url: string | undefined;
  /** Address of the web client. */
  readonly publicUrl: string;
  readonly relayKey: string | undefined;
  readonly uplinks: {
    /** Network servers whose uplinks are on a broker elsewhere. */
    readonly topics: UplinkSource | "off";
    /** What a network server shows to the broker in this process. */
    readonly key: string | undefined;
    /** The farm's own device profiles. */
    readonly profiles: string;
  };
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/** Devices in, the relay and commands out. The broker opens last, when everything behind it is ready. */
export const brokerPlugin = fp<BrokerOptions>(
  async (app, { host, port, url, publicUrl, relayKey, uplinks, zone, clock }) => {
    const profiles = await loadProfiles([BUNDLED_PROFILES, uplinks.profiles]);
    const directory = createDeviceDirectory(app.database);
    await directory.reload();
    let broker: Broker | undefined;
    const logger = app.log.child({ part: "mqtt" });
    const ingest = createIngest({
      database: app.database,
      directory,
      profiles,
      broker: () => broker,
      zone,
      clock,
      logger,
      wrote: (rows) => app.maintenance.wrote(rows),
    });
    await ingest.links.load();

    const listening = createListening(directory);
    const takers: ((message: InMessage) => Promise<boolean>)[] = [];
    const takeOwn: TakeMessage = async (message) => {
      for (const taker of takers) {
        if (await taker(message)) return;
      }
      await ingest.take(message);
    };
    const take: TakeMessage = async (message) => {
      await takeOwn(message);
      listening.heard(message);
    };
    if (url) {
      broker = connectOuterBroker({ url, uplinkTopics: uplinks.topics, take, logger });
      app.decorate("mqttPort", null);
      app.decorate("deviceBroker", deviceBrokerOf({ url }, publicUrl));
    } else {
      const relayKeyHash = relayKey ? hashSecret(relayKey) : null;
      const uplinkKeyHash = uplinks.key ? hashSecret(uplinks.key) : null;
      const embedded = await startEmbeddedBroker({
        host,
        port,
        directory,
        relayKeyHash,
        uplinkKeyHash,
        take: takeOwn,
        listens: listening.began,
        logger,
      });
      broker = embedded;
      app.decorate("mqttPort", embedded.port);
      app.decorate("deviceBroker", deviceBrokerOf({ port: embedded.port }, publicUrl));
    }
    app.decorate("directory", directory);
    app.decorate("ingest", ingest);
    app.decorate("profiles", profiles);
    app.decorate("broker", broker);
    app.decorate("whenListening", listening.when);
    app.decorate("takeFirst", (taker) => void takers.push(taker));
    const opened = broker;
    app.addHook("onClose", async () => {
      listening.stop();
      await opened.close();
      await ingest.stop();
    });
  },
  { name: "broker", dependencies: ["database"] },
);
