import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import type { Broker } from "../broker/broker.ts";
import { startEmbeddedBroker } from "../broker/embedded.ts";
import { connectOuterBroker } from "../broker/outer.ts";
import { hashSecret } from "../devices/device-key.ts";
import { createDeviceDirectory, type DeviceDirectory } from "../devices/directory.ts";
import { createIngest, type Ingest } from "../ingest/ingest.ts";

declare module "fastify" {
  interface FastifyInstance {
    directory: DeviceDirectory;
    ingest: Ingest;
    /** Present once the server is ready. */
    broker: Broker;
    /** Port of the embedded broker; null where the broker is elsewhere. */
    mqttPort: number | null;
  }
}

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** A broker elsewhere; undefined: one in this process. */
  readonly url: string | undefined;
  readonly relayKey: string | undefined;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
}

/** Devices in, the relay and commands out. The broker opens last, when everything behind it is ready. */
export const brokerPlugin = fp<BrokerOptions>(
  async (app, { host, port, url, relayKey, zone, clock }) => {
    const directory = createDeviceDirectory(app.database);
    await directory.reload();
    let broker: Broker | undefined;
    const logger = app.log.child({ part: "mqtt" });
    const ingest = createIngest({
      database: app.database,
      directory,
      broker: () => broker,
      zone,
      clock,
      logger,
      wrote: (rows) => app.maintenance.wrote(rows),
    });
    await ingest.links.load();

    const take = ingest.take;
    if (url) {
      broker = connectOuterBroker({ url, take, logger });
      app.decorate("mqttPort", null);
    } else {
      const relayKeyHash = relayKey ? hashSecret(relayKey) : null;
      const embedded = await startEmbeddedBroker({ host, port, directory, relayKeyHash, take, logger });
      broker = embedded;
      app.decorate("mqttPort", embedded.port);
    }
    app.decorate("directory", directory);
    app.decorate("ingest", ingest);
    app.decorate("broker", broker);
    const opened = broker;
    app.addHook("onClose", async () => {
      await opened.close();
      await ingest.stop();
    });
  },
  { name: "broker", dependencies: ["database"] },
);
