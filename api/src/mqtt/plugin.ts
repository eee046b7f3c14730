import type { DeviceBroker } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { hashSecret } from "../accounts/key.ts";
import type { Broker, HandleMessage, InMessage } from "../devices/broker.ts";
import { deviceBrokerOf } from "../devices/device-broker.ts";
import { createDeviceIndex, type DeviceIndex, type KnownDevice } from "../devices/device-index.ts";
import { createListening } from "../devices/listening.ts";
import { createIngest, type Ingest } from "../ingest/ingest.ts";
import { BUNDLED_PROFILES, loadProfiles, type Profiles } from "../ingest/lorawan/load-profiles.ts";
import type { UplinkSource } from "../ingest/lorawan/topics.ts";
import { startEmbeddedBroker } from "./embedded.ts";
import { connectExternalBroker } from "./external.ts";

declare module "fastify" {
  interface FastifyInstance {
    deviceIndex: DeviceIndex;
    ingest: Ingest;
    /** Decoders of network server messages, by the name in a device's `profile`. */
    profiles: Profiles;
    /** Present once the server is ready. */
    broker: Broker;
    /** Add a listener, called shortly after a device has subscribed to its commands. */
    whenListening: (listener: (device: KnownDevice) => void) => void;
    /**
     * Add a handler that receives a device's message first; it returns true for a message that it has
     * handled.
     */
    handleFirst: (handler: (message: InMessage) => Promise<boolean>) => void;
    /** Port of the embedded broker; null with an external one. */
    mqttPort: number | null;
    /** The broker as devices reach it. */
    deviceBroker: DeviceBroker;
  }
}

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** URL of an external broker; undefined: the embedded one. */
  readonly url: string | undefined;
  /** URL of the web client. */
  readonly publicUrl: string;
  readonly relayKey: string | undefined;
  readonly uplinks: {
    /** Network servers with uplinks on an external broker. */
    readonly topics: UplinkSource | "off";
    /** Key of a network server at the embedded broker. */
    readonly key: string | undefined;
    /** The farm's own device profiles. */
    readonly profiles: string;
  };
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/**
 * Connect devices, ingest, relay and commands. The broker starts last, when everything behind it is ready.
 */
export const brokerPlugin = fp<BrokerOptions>(
  async (app, { host, port, url, publicUrl, relayKey, uplinks, zone, clock }) => {
    const profiles = await loadProfiles([BUNDLED_PROFILES, uplinks.profiles]);
    const deviceIndex = createDeviceIndex(app.database);
    await deviceIndex.reload();
    let broker: Broker | undefined;
    const logger = app.log.child({ part: "mqtt" });
    const ingest = createIngest({
      database: app.database,
      deviceIndex,
      profiles,
      broker: () => broker,
      zone,
      clock,
      logger,
      wrote: (rows) => app.maintenance.wrote(rows),
    });
    await ingest.links.load();

    const listening = createListening(deviceIndex);
    const firstHandlers: ((message: InMessage) => Promise<boolean>)[] = [];
    const handleOwn: HandleMessage = async (message) => {
      for (const handler of firstHandlers) {
        if (await handler(message)) return;
      }
      await ingest.handle(message);
    };
    const handle: HandleMessage = async (message) => {
      await handleOwn(message);
      listening.received(message);
    };
    if (url) {
      broker = connectExternalBroker({ url, uplinkTopics: uplinks.topics, handle, logger });
      app.decorate("mqttPort", null);
      app.decorate("deviceBroker", deviceBrokerOf({ url }, publicUrl));
    } else {
      const relayKeyHash = relayKey ? hashSecret(relayKey) : null;
      const uplinkKeyHash = uplinks.key ? hashSecret(uplinks.key) : null;
      const embedded = await startEmbeddedBroker({
        host,
        port,
        deviceIndex,
        relayKeyHash,
        uplinkKeyHash,
        handle: handleOwn,
        refused: ingest.refused,
        knocks: (serial) => ingest.knocks.add("serial", serial),
        listens: listening.began,
        logger,
      });
      broker = embedded;
      app.decorate("mqttPort", embedded.port);
      app.decorate("deviceBroker", deviceBrokerOf({ port: embedded.port }, publicUrl));
    }
    app.decorate("deviceIndex", deviceIndex);
    app.decorate("ingest", ingest);
    app.decorate("profiles", profiles);
    app.decorate("broker", broker);
    app.decorate("whenListening", listening.when);
    app.decorate("handleFirst", (handler) => void firstHandlers.push(handler));
    const opened = broker;
    app.addHook("onClose", async () => {
      listening.stop();
      await opened.close();
      await ingest.stop();
    });
  },
  { name: "broker", dependencies: ["database"] },
);
