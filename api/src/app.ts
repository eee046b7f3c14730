import { join } from "node:path";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Clock, systemClock } from "@mulkko/shared/rules/clock";
import { alertsPlugin } from "./alerts/plugin.ts";
import { backupRoutes } from "./backup/routes.ts";
import type { Config } from "./config.ts";
import { DEMO_PASSWORD } from "./demo/farm.ts";
import { type App, createServer } from "./http/server.ts";
import { importRoutes } from "./import/routes.ts";
import { ownPasswordRoutes } from "./modules/account/own-password-routes.ts";
import { profileRoutes } from "./modules/account/profile-routes.ts";
import { recoverRoutes } from "./modules/account/recover-routes.ts";
import { accountRoutes } from "./modules/account/routes.ts";
import { signInRoutes } from "./modules/account/sign-in-routes.ts";
import { adminDeviceRoutes } from "./modules/admin-devices/routes.ts";
import { adminUserChangeRoutes } from "./modules/admin-users/change-routes.ts";
import { adminClusterRoutes } from "./modules/admin-users/cluster-routes.ts";
import { adminUserRoutes } from "./modules/admin-users/routes.ts";
import { relayAuditRoutes } from "./modules/audit/relay-routes.ts";
import { auditRoutes } from "./modules/audit/routes.ts";
import { capabilityRoutes } from "./modules/capabilities/routes.ts";
import { clusterRoutes } from "./modules/cluster/routes.ts";
import { commandLogRoutes } from "./modules/command/log-routes.ts";
import { commandRoutes, RELAY_COMMAND_URLS } from "./modules/command/routes.ts";
import { contactRoutes } from "./modules/contact/routes.ts";
import { controllerRoutes } from "./modules/controller/routes.ts";
import { deviceRoutes } from "./modules/device/routes.ts";
import { imageRoutes } from "./modules/image/routes.ts";
import { cotLogRoutes } from "./modules/log/cot-routes.ts";
import { logRoutes } from "./modules/log/routes.ts";
import { mailRoutes } from "./modules/mail/routes.ts";
import { notificationRoutes } from "./modules/notification/routes.ts";
import { relaySessionRoutes } from "./modules/relay-session/routes.ts";
import { sensorRoutes } from "./modules/sensor/routes.ts";
import { sessionRoutes } from "./modules/session/routes.ts";
import { setupRoutes } from "./modules/setup/routes.ts";
import { wateringPlugin } from "./modules/watering/plugin.ts";
import { wateringRoutes } from "./modules/watering/routes.ts";
import { authPlugin } from "./plugins/auth.ts";
import { brokerPlugin } from "./plugins/broker.ts";
import { choresPlugin } from "./plugins/chores.ts";
import { databasePlugin } from "./plugins/database.ts";
import { demoPlugin } from "./plugins/demo.ts";
import { errorsPlugin } from "./plugins/errors.ts";
import { healthPlugin } from "./plugins/health.ts";
import { metricsPlugin } from "./plugins/metrics.ts";
import { openapiPlugin } from "./plugins/openapi.ts";
import { storagePlugin } from "./storage/plugin.ts";
import { valvesPlugin } from "./valve-drivers/plugin.ts";

/** What tests put in the place of the world. */
export interface Overrides {
  readonly clock?: Clock;
  /** Takes the log's lines. */
  readonly logStream?: { write(line: string): void };
  /** Told when only a new process can go on. */
  readonly onFatal?: (reason: string) => void;
  /** Holds back the answer to somebody who guesses passwords. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** false: nobody does the chores unless told to; a minute that begins changes nothing. */
  readonly schedulesChores?: boolean;
}

/**
 * The whole farm API, open towards its devices but not yet listening for requests. Closing it closes everything.
 *
 * @throws FolderLockedError, SchemaError, DatabaseError
 */
export async function build(config: Config, overrides: Overrides = {}): Promise<App> {
  const { clock = systemClock, logStream, onFatal, wait, schedulesChores = true } = overrides;
  const zone = createApiTimeZone(config.API_TIMEZONE);
  const isDemo = config.DEMO === "on";
  const refusedPassword = isDemo ? null : DEMO_PASSWORD;
  const relayKey = config.RELAY_KEY;
  const app = createServer({
    logLevel: config.LOG_LEVEL,
    logStream,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  try {
    await app.register(errorsPlugin);
    await app.register(openapiPlugin);
    await app.register(databasePlugin, {
      url: config.DATABASE_URL,
      folder: config.DATA_DIR,
      timezone: config.API_TIMEZONE,
      clock,
      onLost: () => {
        app.log.fatal("the database's thread has died");
        onFatal?.("the database's thread has died");
      },
    });
    await app.register(brokerPlugin, {
      host: config.MQTT_HOST,
      port: config.MQTT_PORT,
      url: config.MQTT_URL,
      publicUrl: config.PUBLIC_URL,
      relayKey,
      uplinks: {
        topics: config.UPLINK_TOPICS,
        key: config.UPLINK_KEY,
        profiles: join(config.DATA_DIR, "profiles"),
      },
      zone,
      clock,
    });
    await app.register(demoPlugin, {
      on: isDemo,
      folder: config.DATA_DIR,
      mqttUrl: config.MQTT_URL,
      intervalMs: config.DEMO_INTERVAL_MS,
      zone,
      clock,
    });
    await app.register(valvesPlugin, { clock });
    await app.register(wateringPlugin, { clock });
    await app.register(authPlugin, { clock, relayCommandUrls: RELAY_COMMAND_URLS });
    await app.register(storagePlugin, { folder: config.DATA_DIR, relayKey, clock });
    await app.register(healthPlugin);
    await app.register(metricsPlugin);
    await app.register(accountRoutes, {
      clock,
      refusedPassword,
      ...(wait ? { wait } : {}),
    });
    await app.register(ownPasswordRoutes, { clock, refusedPassword, ...(wait ? { wait } : {}) });
    await app.register(signInRoutes, { zone });
    await app.register(profileRoutes, { clock });
    await app.register(adminUserRoutes, { zone, clock, refusedPassword });
    await app.register(adminUserChangeRoutes, { zone, clock, refusedPassword });
    await app.register(imageRoutes, { folder: config.DATA_DIR, clock });
    await app.register(sessionRoutes, { zone, clock });
    await app.register(mailRoutes, { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, zone, clock });
    await app.register(alertsPlugin, { publicUrl: config.PUBLIC_URL, zone, clock });
    await app.register(recoverRoutes, { clock, publicUrl: config.PUBLIC_URL, refusedPassword });
    await app.register(adminClusterRoutes);
    await app.register(contactRoutes, { zone, clock });
    await app.register(auditRoutes, { zone });
    await app.register(commandLogRoutes, { zone });
    await app.register(backupRoutes, {
      url: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      isRelayOnRedis: config.REDIS_URL !== undefined,
      isOn: config.BACKUPS === "on",
      zone,
      clock,
    });
    await app.register(setupRoutes, { clock, isDemo });
    await app.register(capabilityRoutes, {
      hasRelayKey: relayKey !== undefined,
      hasMailServer: config.SMTP_URL !== undefined,
    });
    await app.register(relaySessionRoutes, { relayKey, clock });
    await app.register(relayAuditRoutes, { relayKey, clock });
    await app.register(clusterRoutes, { zone });
    await app.register(sensorRoutes, { zone, clock });
    await app.register(deviceRoutes, { zone, clock });
    await app.register(adminDeviceRoutes, { zone, clock });
    await app.register(logRoutes, { zone, clock });
    await app.register(cotLogRoutes, { zone });
    await app.register(wateringRoutes);
    await app.register(controllerRoutes, { zone, clock });
    await app.register(commandRoutes, { clock });
    await app.register(notificationRoutes, { zone });
    await app.register(importRoutes, { folder: config.DATA_DIR, clock });
    await app.register(choresPlugin, {
      clock,
      timezone: config.API_TIMEZONE,
      retention: { rawDays: config.RETENTION_DAYS, rollupDays: config.RETENTION_ROLLUP_DAYS },
      isScheduled: schedulesChores,
    });
    await app.ready();
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}
