import { join } from "node:path";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Clock, systemClock, type Timers } from "@mulkko/shared/rules/clock";
import { type EventLoopWatch, watchEventLoop } from "@mulkko/shared/server/event-loop";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { relayAuditRoutes } from "./accounts/audit-routes.ts";
import { authPlugin } from "./accounts/auth.ts";
import { ownPasswordRoutes } from "./accounts/own-password-routes.ts";
import { profileRoutes } from "./accounts/profile-routes.ts";
import { recoverRoutes } from "./accounts/recover-routes.ts";
import { relaySessionRoutes } from "./accounts/relay-session-routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { sessionRoutes } from "./accounts/session-routes.ts";
import { signInRoutes } from "./accounts/sign-ins.ts";
import { adminUserChangeRoutes } from "./admin/change-routes.ts";
import { adminClusterRoutes } from "./admin/cluster-routes.ts";
import { adminDeviceRoutes } from "./admin/device-routes.ts";
import { adminUserRoutes } from "./admin/user-routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { backUpBeforeMigration } from "./backup/before-migration.ts";
import { backupRoutes } from "./backup/routes.ts";
import { type Config, isInReach } from "./config.ts";
import { contactRoutes } from "./contact/routes.ts";
import { deviceRoutes } from "./controllers/device-routes.ts";
import { controllerRoutes } from "./controllers/routes.ts";
import { DatabaseOwnership } from "./database/ownership.ts";
import { databasePlugin, type OpenEmbedded } from "./database/plugin.ts";
import { DEMO_PASSWORD } from "./demo/farm.ts";
import { demoPlugin } from "./demo/plugin.ts";
import { clusterRoutes } from "./farms/routes.ts";
import { rebuildWhereMissing } from "./history/closing.ts";
import { capabilityRoutes } from "./http/capabilities-routes.ts";
import { errorsPlugin } from "./http/errors.ts";
import { healthPlugin } from "./http/health.ts";
import { metricsPlugin } from "./http/metrics.ts";
import { openapiPlugin } from "./http/openapi.ts";
import { type App, createServer } from "./http/server.ts";
import { imageRoutes } from "./images/routes.ts";
import { importRoutes } from "./import/routes.ts";
import { deadLetterRoutes } from "./ingest/dead-letter-routes.ts";
import { ingestPlugin } from "./ingest/plugin.ts";
import { jobsPlugin } from "./jobs/jobs.ts";
import { mailRoutes } from "./mail/routes.ts";
import { brokerPlugin, type StartEmbedded } from "./mqtt/plugin.ts";
import { alertsPlugin } from "./notifications/alerts/plugin.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { cotLogRoutes } from "./sensors/cot-routes.ts";
import { logRoutes } from "./sensors/log-routes.ts";
import { sensorRoutes } from "./sensors/routes.ts";
import { setupRoutes } from "./setup/routes.ts";
import { storagePlugin } from "./storage/plugin.ts";
import { commandLogRoutes } from "./valves/command-log.ts";
import { commandRoutes, RELAY_COMMAND_URLS } from "./valves/command-routes.ts";
import { valvesPlugin } from "./valves/drivers/plugin.ts";
import { wateringPlugin } from "./valves/modes/plugin.ts";
import { wateringRoutes } from "./valves/modes/routes.ts";

/** Replacements that tests inject for the environment. */
export interface Overrides {
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly watchEventLoop?: (timers: Timers) => EventLoopWatch;
  readonly openDatabase?: OpenEmbedded;
  readonly startBroker?: StartEmbedded;
  /** Receives the lines of the log. */
  readonly logStream?: { write(line: string): void };
  /**
   * Called while another farm API owns the database, with a description of it; this one waits as a stand-by. May
   * throw to give up.
   */
  readonly onStandBy?: (holder: string) => void;
  /** Called when only a new process can recover. */
  readonly onFatal?: (reason: string) => void;
  /** Delays the answer to a client that guesses passwords. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** false: scheduled jobs run only when a test calls them. */
  readonly schedulesJobs?: boolean;
}

/**
 * Build the whole farm API. It accepts devices, but does not listen for requests yet. Closing it closes
 * everything.
 *
 * @throws FolderLockedError, SchemaError, DatabaseError
 */
export async function build(config: Config, overrides: Overrides = {}): Promise<App> {
  const {
    clock = systemClock,
    timers = nodeTimers,
    openDatabase,
    startBroker,
    logStream,
    onFatal,
    wait,
    schedulesJobs = true,
    onStandBy = () => undefined,
  } = overrides;
  const zone = createApiTimeZone(config.API_TIMEZONE);
  const relayKey = config.RELAY_KEY;
  const maxDevices = config.MAX_DEVICES;
  const url = config.DATABASE_URL;
  const backups = { url, dataDir: config.DATA_DIR, isRelayOnRedis: config.REDIS_URL !== undefined, clock };
  const ownership = url ? await DatabaseOwnership.acquire(url, { onStandBy }) : null;
  const app = createServer({
    logLevel: config.LOG_LEVEL,
    logStream,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  try {
    await app.register(errorsPlugin, { clock });
    await app.register(openapiPlugin);
    await app.register(databasePlugin, {
      url,
      ownership,
      folder: config.DATA_DIR,
      timezone: config.API_TIMEZONE,
      clock,
      timers,
      isScheduled: schedulesJobs,
      ...(openDatabase && { openEmbedded: openDatabase }),
      beforeMigration: (database) =>
        backUpBeforeMigration(database, app.log, { ...backups, isOn: config.BACKUPS === "on" }),
      afterMigration: (database) => rebuildWhereMissing(database, clock.now()),
      onLost: (reason) => {
        app.log.fatal({ event: "database-lost", reason }, "lost the database");
        onFatal?.(reason);
      },
    });
    await app.register(ingestPlugin, { profiles: join(config.DATA_DIR, "profiles"), zone, clock, timers });
    await app.register(brokerPlugin, {
      embedded: { host: config.MQTT_HOST, port: config.MQTT_PORT },
      externalUrl: config.MQTT_URL,
      publicUrl: config.PUBLIC_URL,
      relayKey,
      timers,
      ...(startBroker && { startEmbedded: startBroker }),
      uplinks: { topics: config.UPLINK_TOPICS, key: config.UPLINK_KEY },
    });
    await app.register(demoPlugin, {
      on: config.DEMO === "on",
      isInReach: isInReach(config),
      folder: config.DATA_DIR,
      mqttUrl: config.MQTT_URL,
      intervalMs: config.DEMO_INTERVAL_MS,
      zone,
      clock,
    });
    const refusedPassword = app.demoLogin?.isPublished ? null : DEMO_PASSWORD;
    await app.register(valvesPlugin, { clock, timers });
    await app.register(wateringPlugin, { clock, timers });
    await app.register(authPlugin, { clock, relayCommandUrls: RELAY_COMMAND_URLS });
    await app.register(storagePlugin, { folder: config.DATA_DIR, relayKey, clock, timers });
    await app.register(healthPlugin, {
      token: config.METRICS_TOKEN,
      eventLoop: (overrides.watchEventLoop ?? watchEventLoop)(timers),
    });
    await app.register(metricsPlugin, { token: config.METRICS_TOKEN });
    await app.register(accountRoutes, {
      clock,
      refusedPassword,
      ...(wait ? { wait } : {}),
    });
    await app.register(ownPasswordRoutes, { clock, refusedPassword, ...(wait ? { wait } : {}) });
    await app.register(signInRoutes, { zone });
    await app.register(profileRoutes, { clock });
    await app.register(adminUserRoutes, { zone, clock, timers, refusedPassword });
    await app.register(adminUserChangeRoutes, { zone, clock, refusedPassword });
    await app.register(imageRoutes, { folder: config.DATA_DIR, clock });
    await app.register(sessionRoutes, { zone, clock });
    await app.register(mailRoutes, { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, zone, clock, timers });
    await app.register(alertsPlugin, { publicUrl: config.PUBLIC_URL, zone, clock, timers });
    await app.register(recoverRoutes, { clock, publicUrl: config.PUBLIC_URL, refusedPassword });
    await app.register(adminClusterRoutes);
    await app.register(contactRoutes, { zone, clock });
    await app.register(auditRoutes, { zone });
    await app.register(commandLogRoutes, { zone });
    await app.register(backupRoutes, {
      ...backups,
      isOn: config.BACKUPS === "on",
      zone,
    });
    await app.register(setupRoutes, { clock });
    await app.register(capabilityRoutes, {
      hasRelayKey: relayKey !== undefined,
      hasMailServer: config.SMTP_URL !== undefined,
    });
    await app.register(relaySessionRoutes, { relayKey, clock });
    await app.register(relayAuditRoutes, { relayKey, clock });
    await app.register(clusterRoutes, { zone, clock, timers });
    await app.register(sensorRoutes, { zone, clock, timers, maxDevices });
    await app.register(deviceRoutes, { zone, clock, timers });
    await app.register(deadLetterRoutes, { clock });
    await app.register(adminDeviceRoutes, { zone, clock, timers });
    await app.register(logRoutes, { zone, clock });
    await app.register(cotLogRoutes, { zone });
    await app.register(wateringRoutes);
    await app.register(controllerRoutes, { zone, clock, timers, maxDevices });
    await app.register(commandRoutes, { clock, timers });
    await app.register(notificationRoutes, { zone });
    await app.register(importRoutes, { folder: config.DATA_DIR, clock });
    await app.register(jobsPlugin, {
      clock,
      timezone: config.API_TIMEZONE,
      retention: { rawDays: config.RETENTION_DAYS, rollupDays: config.RETENTION_ROLLUP_DAYS },
      isScheduled: schedulesJobs,
    });
    await app.ready();
  } catch (error) {
    await app.close();
    await ownership?.close();
    throw error;
  }
  return app;
}
