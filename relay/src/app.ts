import { fileURLToPath } from "node:url";
import { type Clock, type Random, systemClock } from "@mulkko/shared/rules/clock";
import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { alarmsPlugin } from "./alarms/routes.ts";
import { asyncApiPlugin } from "./asyncapi/asyncapi-plugin.ts";
import { watchArrivals } from "./commands/arrivals.ts";
import { closeAllPlugin } from "./commands/close-all.ts";
import { commandsPlugin } from "./commands/routes.ts";
import { type Config, commaList, mapOrigins } from "./config.ts";
import { displayGatePlugin } from "./displays/display-gate.ts";
import { displaysPlugin } from "./displays/routes.ts";
import { beatsPlugin } from "./fleet/beats-plugin.ts";
import { gatewayPlugin } from "./gateway/gateway-plugin.ts";
import { createTrust } from "./gateway/trusted-proxies.ts";
import { type Heart, relayFolder, startHeart } from "./heart.ts";
import { historyPlugin } from "./history/history-plugin.ts";
import { errorsPlugin } from "./plugins/errors.ts";
import { watchEventLoop } from "./plugins/event-loop.ts";
import { healthPlugin } from "./plugins/health.ts";
import { loggingOptions } from "./plugins/logging.ts";
import { createMetrics, metricsPlugin } from "./plugins/metrics.ts";
import { readOnlyAsPlugin } from "./plugins/read-only-as.ts";
import { securityHeadersPlugin } from "./plugins/security-headers.ts";
import { staticWebPlugin } from "./plugins/static-web.ts";
import { storageRoute } from "./plugins/storage-route.ts";
import { unreadBodyPlugin } from "./plugins/unread-body.ts";
import { readWebBuild } from "./plugins/web-build.ts";
import type { Timers } from "./ports/timers.ts";
import type { CreateValveDesk } from "./ports/valves.ts";
import { configRoute } from "./routes/config.ts";
import { settingsPlugin } from "./settings/routes.ts";
import { type FolderLock, lockFolder } from "./store/folder-lock.ts";
import { systemTimers } from "./timers.ts";
import { proxyPlugin } from "./upstream/proxy.ts";
import { watchPlugin } from "./upstream/watch-plugin.ts";
import { createValveDesk } from "./valves/valve-desk.ts";
import { wateringsPlugin } from "./waterings/waterings-plugin.ts";
import { weatherPlugin } from "./weather/weather-plugin.ts";
import { createWeatherService } from "./weather/weather-service.ts";

/** What tests put in the place of the world. */
export interface Overrides {
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
  /** Takes the log's lines. */
  readonly logStream?: { write(line: string): void };
  /** Told of every route, so that a test can try all that there are. */
  readonly onRoute?: (route: RouteOptions) => void;
}

/** The relay, and its heart for tests that look behind the doors. */
export interface App {
  readonly server: FastifyInstance;
  readonly heart: Heart;
}

/** Gives the folder back when what it was locked for could not be opened. */
function openedUnder<T>(lock: FolderLock, open: () => T): T {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Where the web client lies in this workspace once it is built. */
const WEB_DIST = fileURLToPath(new URL("../../web/dist", import.meta.url));

/**
 * The whole relay, at work but not yet listening for requests. Closing the server closes everything: sessions are
 * told and drained first (LIVE-3), then the sources and the store.
 *
 * @throws FolderLockedError, NewerSchemaError
 */
export async function build(config: Config, overrides: Overrides = {}): Promise<App> {
  const {
    clock: machine = systemClock,
    timers = systemTimers,
    random = Math.random,
    logStream,
    onRoute,
  } = overrides;
  const server = Fastify({
    ...loggingOptions({ level: config.LOG_LEVEL, ...(logStream && { stream: logStream }) }),
    trustProxy: (address) => trust(address),
  });
  if (onRoute) server.addHook("onRoute", onRoute);
  const trust = createTrust(commaList(config.TRUST_PROXY));
  const web = await readWebBuild(config.WEB_DIST ?? WEB_DIST);
  const metrics = createMetrics();
  const lock = lockFolder(relayFolder(config));
  const log = server.log.child({ part: "heart" });
  const createDesk: CreateValveDesk = (parts) => createValveDesk(parts);
  const heart = openedUnder(lock, () =>
    startHeart({ config, clock: machine, timers, random, metrics, log, createDesk }),
  );
  try {
    await heart.opened();
  } catch (error) {
    await heart.close();
    lock.release();
    throw error;
  }
  const { clock, owners, prover, link, capabilities, audit } = heart;
  const { desk, door: displays, revokeOf } = heart.displays;
  const eventLoop = watchEventLoop(timers);
  const arrivals = watchArrivals(server.server, clock, timers);
  metrics.watch(owners.stats);
  metrics.watchLink({
    link,
    upstreamOffsetMs: heart.upstreamOffsetMs,
    shortcomings: heart.shortcomings,
    eventLoopP99: eventLoop.p99,
  });
  const apiTimezone = config.API_TIMEZONE;
  const { build: webBuild, scriptHashes } = web;

  server.addHook("onClose", async () => {
    eventLoop.close();
    arrivals.close();
    await heart.close();
    lock.release();
  });
  await server.register(errorsPlugin);
  await server.register(unreadBodyPlugin);
  await server.register(displayGatePlugin, { door: displays });
  await server.register(readOnlyAsPlugin, { prover, owners, audit });
  const { MAP_STYLE_URL: mapStyleUrl, MAP_ORIGINS } = config;
  await server.register(securityHeadersPlugin, {
    scriptHashes,
    mapOrigins: mapOrigins(mapStyleUrl, MAP_ORIGINS),
  });
  await server.register(healthPlugin, {
    link,
    eventLoopP99: eventLoop.p99,
    shortcomings: heart.shortcomings,
  });
  await server.register(metricsPlugin, { metrics });
  await server.register(asyncApiPlugin);
  await server.register(configRoute, {
    apiTimezone,
    capabilities,
    build: webBuild,
    mapStyleUrl: mapStyleUrl ?? null,
  });
  await server.register(gatewayPlugin, {
    owners,
    prover,
    displays,
    audit,
    link,
    clock,
    timers,
    random,
    metrics,
    trust,
    allowedOrigins: commaList(config.ALLOWED_ORIGINS),
    identity: { node: heart.nodeId, build: webBuild, apiTimezone },
  });
  await server.register(historyPlugin, { series: heart.series, capabilities, prover, displays, clock });
  await server.register(wateringsPlugin, { owners, prover, displays, clock, apiTimezone });
  const { WEATHER_API_KEY: weatherKey, WEATHER_URL: weatherUrl } = config;
  const weatherLog = server.log.child({ part: "weather" });
  await server.register(weatherPlugin, {
    owners,
    prover,
    displays,
    clock,
    service:
      weatherKey === undefined
        ? null
        : createWeatherService({ url: weatherUrl, key: weatherKey, clock, log: weatherLog }),
  });
  await server.register(commandsPlugin, { owners, prover, clock, timers, arrivals });
  await server.register(closeAllPlugin, { owners, prover, clock, timers });
  await server.register(alarmsPlugin, { owners, prover, displays, clock, timers });
  await server.register(settingsPlugin, { owners, prover, clock, timers });
  await server.register(beatsPlugin, { fleet: owners.fleet, prover, displays, clock, timers });
  await server.register(storageRoute, { storage: heart.storage, prover, clock, timers });
  await server.register(displaysPlugin, {
    desk,
    owners,
    prover,
    audit,
    clock,
    apiTimezone,
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
  });
  await server.register(watchPlugin, { watch: owners.watch, prover });
  const imagePrefixes = commaList(config.IMAGE_PREFIXES);
  await server.register(proxyPlugin, {
    origin: config.API_URL,
    imagePrefixes,
    owners,
    watch: owners.watch,
    signIn: heart.signIn,
    prover,
    endDisplays: revokeOf,
    metrics,
    clock,
  });
  await server.register(staticWebPlugin, { web, proxied: ["/api", ...imagePrefixes] });
  return { server, heart };
}
