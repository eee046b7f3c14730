import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { createDeviceIndex, type DeviceIndex } from "../devices/device-index.ts";
import { Ingest } from "./ingest.ts";
import { BUNDLED_PROFILES, loadProfiles, type Profiles } from "./lorawan/load-profiles.ts";

declare module "fastify" {
  interface FastifyInstance {
    deviceIndex: DeviceIndex;
    ingest: Ingest;
    /** Decoders of network server messages, by the name in a device's `profile`. */
    profiles: Profiles;
  }
}

export interface IngestOptions {
  /** Folder of the farm's own device profiles. */
  readonly profiles: string;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Index the registered devices, and store what they send. */
export const ingestPlugin = fp<IngestOptions>(
  async (app, options) => {
    const { database } = app;
    const profiles = await loadProfiles([BUNDLED_PROFILES, options.profiles]);
    const deviceIndex = createDeviceIndex(database);
    await deviceIndex.reload();
    const ingest = new Ingest({
      database,
      deviceIndex,
      profiles,
      zone: options.zone,
      clock: options.clock,
      timers: options.timers,
      logger: app.log.child({ part: "mqtt" }),
      wrote: (rows) => app.maintenance.wrote(rows),
    });
    await ingest.load();
    app.decorate("deviceIndex", deviceIndex);
    app.decorate("ingest", ingest);
    app.decorate("profiles", profiles);
    app.addHook("onClose", () => ingest.stop());
  },
  { name: "ingest", dependencies: ["database"] },
);
