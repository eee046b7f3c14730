import type { DeviceBroker } from "@mulkko/shared/rest/sensor";
import type { Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Broker, HandleMessage, InMessage } from "../devices/broker.ts";
import { createCommandSubscriptions } from "../devices/command-subscriptions.ts";
import { deviceBrokerOf } from "../devices/device-broker.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import type { UplinkSource } from "../ingest/lorawan/topics.ts";
import { createIdentify } from "./access.ts";
import { EmbeddedBroker, type EmbeddedOptions, type StartedBroker } from "./embedded.ts";
import { ExternalBroker } from "./external.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Present once the server is ready. */
    broker: Broker;
    /** Add a listener, called shortly after a device has subscribed to its commands. */
    whenSubscribed: (listener: (device: KnownDevice) => void) => void;
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

export type StartEmbedded = (options: EmbeddedOptions) => Promise<StartedBroker>;

export interface BrokerOptions {
  /** Address of the embedded broker. */
  readonly embedded: { readonly host: string; readonly port: number };
  /** URL of an external broker; undefined: the embedded one. */
  readonly externalUrl: string | undefined;
  /** URL of the web client. */
  readonly publicUrl: string;
  readonly relayKey: string | undefined;
  readonly timers: Timers;
  /** Starts the embedded broker. */
  readonly startEmbedded?: StartEmbedded;
  /** Network servers: those with uplinks on an external broker, and their key at the embedded one. */
  readonly uplinks: { readonly topics: UplinkSource | "off"; readonly key: string | undefined };
}

/**
 * Connect devices, ingest, relay and commands. The broker starts last, when everything behind it is ready.
 */
export const brokerPlugin = fp<BrokerOptions>(
  async (
    app,
    {
      embedded,
      externalUrl: url,
      publicUrl,
      relayKey,
      uplinks,
      timers,
      startEmbedded = (options) => EmbeddedBroker.start(options),
    },
  ) => {
    const { deviceIndex, ingest } = app;
    const logger = app.log.child({ part: "mqtt" });
    let broker: Broker;
    const subscriptions = createCommandSubscriptions(deviceIndex, timers);
    const firstHandlers: ((message: InMessage) => Promise<boolean>)[] = [];
    const handleOwn: HandleMessage = async (message) => {
      for (const handler of firstHandlers) {
        if (await handler(message)) return;
      }
      await ingest.handle(message);
    };
    const handle: HandleMessage = async (message) => {
      await handleOwn(message);
      subscriptions.received(message);
    };
    /** Report that the connection of a native controller broke, or is back after that (WILL-2). */
    const reportLine = (device: KnownDevice | undefined, online: boolean): void => {
      if (!device || device.valves || device.channels.length === 0) return;
      if (online && ingest.links.of(device.id).online !== false) return;
      ingest.line(device, online).catch((error: unknown) => {
        logger.warn(
          { event: "line-not-stored", deviceId: device.id, err: error },
          "could not store a controller's connection",
        );
      });
    };
    if (url) {
      broker = new ExternalBroker({
        url,
        installation: app.installation,
        uplinkTopics: uplinks.topics,
        handle,
        logger,
      });
      app.decorate("mqttPort", null);
      app.decorate("deviceBroker", deviceBrokerOf({ url }, publicUrl));
    } else {
      const knocked = (serial: string): void => ingest.knocks.add("serial", serial);
      const started = await startEmbedded({
        ...embedded,
        identify: createIdentify({ deviceIndex, relayKey, uplinkKey: uplinks.key, knocked }),
        handle: handleOwn,
        refused: (message, serial, reason) => ingest.refused(message, serial, reason),
        subscribed: subscriptions.subscribed,
        lost: (serial) => reportLine(deviceIndex.bySerial(serial), false),
        logger,
      });
      // Said a moment after the subscription: its connection may have broken meanwhile.
      subscriptions.onSubscribed((device) => {
        if (started.hasSession(device.serial)) reportLine(device, true);
      });
      // No device was connected to it before, whatever they said to the last one.
      ingest.links.lostAll();
      broker = started;
      app.decorate("mqttPort", started.port);
      app.decorate("deviceBroker", deviceBrokerOf({ port: started.port }, publicUrl));
    }
    ingest.outputs.sendBy(broker);
    app.decorate("broker", broker);
    app.decorate("whenSubscribed", subscriptions.onSubscribed);
    app.decorate("handleFirst", (handler) => void firstHandlers.push(handler));
    app.addHook("onClose", async () => {
      subscriptions.stop();
      await broker.close();
    });
  },
  { name: "broker", dependencies: ["ingest"] },
);
