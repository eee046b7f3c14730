import { fileURLToPath } from "node:url";
import { type Clock, type Random, systemClock, type Timers } from "@mulkko/shared/rules/clock";
import { endConnections } from "@mulkko/shared/server/end-connections";
import { type EventLoopWatch, watchEventLoop } from "@mulkko/shared/server/event-loop";
import { connectionsWithin, fileHandles } from "@mulkko/shared/server/file-handles";
import { type FolderLock, lockFolder } from "@mulkko/shared/server/folder-lock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { watchPlugin } from "./account/watch-routes.ts";
import { alarmsPlugin } from "./alarms/routes.ts";
import { asyncApiPlugin } from "./asyncapi/asyncapi.ts";
import { type Config, commaList, mapOrigins } from "./config.ts";
import { displayAuthGuardPlugin } from "./displays/display-auth-guard.ts";
import { displaysPlugin } from "./displays/routes.ts";
import { fleetPlugin } from "./fleet/routes.ts";
import { createAccess } from "./gateway/access.ts";
import { createAdmission } from "./gateway/admission.ts";
import { gatewayPlugin, type OtherTransport } from "./gateway/gateway-plugin.ts";
import { ShownLink } from "./gateway/shown-link.ts";
import { createRelayMessages } from "./gateway/welcome.ts";
import { historyPlugin } from "./history/routes.ts";
import { answersPlugin } from "./http/answers.ts";
import { createCallEffects } from "./http/call-effects.ts";
import { CLOSING_OPTIONS, closingPlugin } from "./http/closing.ts";
import { configRoute } from "./http/config-route.ts";
import { errorsPlugin } from "./http/errors.ts";
import { farmCallPlugin } from "./http/farm-call.ts";
import { healthPlugin } from "./http/health.ts";
import { loggingOptions } from "./http/logging.ts";
import { createMetrics, metricsPlugin } from "./http/metrics.ts";
import { createProxiedApi } from "./http/proxied-api.ts";
import { createLateCheck, proxyPlugin } from "./http/proxy.ts";
import { readOnlyAsPlugin } from "./http/read-only-as.ts";
import { REQUEST_TIMES, slowBodiesPlugin, unreadBodyPlugin } from "./http/request-bodies.ts";
import { securityHeadersPlugin } from "./http/security-headers.ts";
import { ownTurnPlugin } from "./http/shares/own-turn.ts";
import type { Connect } from "./http/shares/placed-calls.ts";
import { createShares } from "./http/shares/shares.ts";
import { readWebBuild, staticWebPlugin } from "./http/static-web.ts";
import { createTrust } from "./http/trusted-proxies.ts";
import { createServices, type Edges, relayFolder, type Services } from "./services.ts";
import { settingsPlugin } from "./settings/routes.ts";
import { watchArrivals } from "./valves/arrivals.ts";
import { closeAllPlugin } from "./valves/close-all-route.ts";
import { createCloseFirst, logoutCheckRoute } from "./valves/close-first.ts";
import { fleetClosePlugin } from "./valves/fleet-close-route.ts";
import { commandsPlugin } from "./valves/routes.ts";
import { wateringsPlugin } from "./valves/waterings/routes.ts";
import { weatherPlugin } from "./weather/routes.ts";
import { createWeatherService } from "./weather/weather-service.ts";

/** Time for running calls when the process stops, ms; a stalled download would delay it. */
const CLOSE_WITHIN_MS = 5_000;

/** Replacements for external dependencies in tests. */
export interface Overrides {
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly random?: Random;
  /** Receives the lines of the log. */
  readonly logStream?: { write(line: string): void };
  /** Called for every route, so that a test can try all of them. */
  readonly onRoute?: (route: RouteOptions) => void;
  readonly edges?: Partial<Edges>;
  /** Opens the connections of the proxies to the farm API. */
  readonly connect?: Connect;
  readonly watchEventLoop?: (timers: Timers) => EventLoopWatch;
  /** Another transport of the live protocol. */
  readonly transport?: OtherTransport;
}

/** The relay, with its services for tests that inspect them. */
export interface App {
  readonly server: FastifyInstance;
  readonly services: Services;
}

/** Open something under a folder lock, and release the lock if it cannot be opened. */
function openedUnder<T>(lock: FolderLock, open: () => T): T {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Folder of the built web client in this workspace. */
const WEB_DIST = fileURLToPath(new URL("../../web/dist", import.meta.url));

/**
 * Build the whole relay, active but not yet listening for requests. Closing the server closes everything:
 * sessions are notified and drained first (LIVE-3), then the sources and the store.
 *
 * @throws FolderLockedError, NewerSchemaError
 */
export async function build(config: Config, overrides: Overrides = {}): Promise<App> {
  const {
    clock: machine = systemClock,
    timers = nodeTimers,
    random = Math.random,
    logStream,
    onRoute,
    edges,
    connect,
    transport,
  } = overrides;
  const server = Fastify({
    ...loggingOptions({ level: config.LOG_LEVEL, ...(logStream && { stream: logStream }) }),
    trustProxy: (address) => trust(address),
    ...CLOSING_OPTIONS,
    requestTimeout: REQUEST_TIMES.requestTimeout,
    http: { ...REQUEST_TIMES },
    // All wrong fields of a body at once.
    ajv: { customOptions: { allErrors: true } },
  });
  server.server.maxConnections = connectionsWithin(await fileHandles(), Number.MAX_SAFE_INTEGER);
  if (onRoute) server.addHook("onRoute", onRoute);
  const trust = createTrust(commaList(config.TRUST_PROXY));
  const web = await readWebBuild(config.WEB_DIST ?? WEB_DIST);
  const metrics = createMetrics();
  const lock = lockFolder(relayFolder(config));
  const log = server.log.child({ part: "services" });
  const services = openedUnder(lock, () =>
    createServices(config, { clock: machine, timers, random, metrics, log }, edges),
  );
  try {
    await services.opened();
  } catch (error) {
    await services.close();
    lock.release();
    throw error;
  }
  const { clock, owners, prover, link, capabilities, audit } = services;
  const { service, transport: displays } = services.displays;
  const shownLink = new ShownLink({
    ...{ link, clock, timers },
    onError: (err) => log.error({ event: "background-task-failed", err }, "background task failed"),
  });
  const eventLoop = (overrides.watchEventLoop ?? watchEventLoop)(timers);
  const arrivals = watchArrivals(server.server, clock, timers);
  metrics.watch(owners.stats);
  metrics.watchLink({
    link,
    upstreamOffsetMs: services.upstreamOffsetMs,
    shortcomings: services.shortcomings,
    eventLoopP99: eventLoop.p99,
  });
  const apiTimezone = config.API_TIMEZONE;
  const { build: webBuild, scriptHashes } = web;

  server.addHook("onClose", async () => {
    eventLoop.close();
    shownLink.close();
    arrivals.close();
    await services.close();
    lock.release();
  });
  await server.register(closingPlugin);
  await server.register(ownTurnPlugin);
  await server.register(answersPlugin);
  await server.register(errorsPlugin, { prover });
  const imagePrefixes = commaList(config.IMAGE_PREFIXES);
  await server.register(farmCallPlugin, { imagePrefixes });
  await server.register(unreadBodyPlugin);
  await server.register(slowBodiesPlugin, { clock: machine, timers });
  await server.register(displayAuthGuardPlugin, { transport: displays });
  await server.register(readOnlyAsPlugin, { prover, owners, audit });
  const { MAP_STYLE_URL: mapStyleUrl, MAP_ORIGINS } = config;
  await server.register(securityHeadersPlugin, {
    scriptHashes,
    mapOrigins: mapOrigins(mapStyleUrl, MAP_ORIGINS),
  });
  await server.register(healthPlugin, {
    link,
    eventLoopP99: eventLoop.p99,
    shortcomings: services.shortcomings,
  });
  await server.register(metricsPlugin, { metrics, token: config.METRICS_TOKEN });
  await server.register(asyncApiPlugin);
  await server.register(configRoute, {
    apiTimezone,
    capabilities,
    build: webBuild,
    mapStyleUrl: mapStyleUrl ?? null,
  });
  const { node } = owners.stats();
  const { receivesSessionEnds: receivesEnds } = services;
  const allowedOrigins = commaList(config.ALLOWED_ORIGINS);
  await server.register(gatewayPlugin, {
    access: createAccess({
      ...{ owners, prover, displays, audit, receivesEnds },
      log: server.log.child({ part: "gateway" }),
    }),
    messages: createRelayMessages({ node, build: webBuild, apiTimezone }, shownLink, clock),
    admission: createAdmission({ metrics, trust, allowedOrigins }),
    runtime: { clock, timers, random, metrics },
    ...(transport && { transport }),
  });
  await server.register(historyPlugin, { series: services.series, capabilities, prover, displays, clock });
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
  await server.register(fleetClosePlugin, { owners, prover, audit, clock, timers });
  await server.register(alarmsPlugin, { owners, prover, displays, clock, timers });
  await server.register(settingsPlugin, { owners, prover, clock, timers });
  const { storage, oddFields } = services;
  await server.register(fleetPlugin, {
    ...{ fleet: owners.fleet, displays, storage, oddFields, prover, clock, timers },
  });
  await server.register(displaysPlugin, {
    service,
    owners,
    prover,
    audit,
    clock,
    apiTimezone,
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
  });
  await server.register(watchPlugin, { watch: owners.watch, prover });
  const closeFirst = createCloseFirst({ owners, watch: owners.watch, prover, capabilities, clock, timers });
  await server.register(logoutCheckRoute, { closeFirst, timers });
  const effects = createCallEffects({ owners, prover, ends: services.ends });
  const shares = createShares(timers, connect);
  metrics.watchPools({ ...shares.pools, history: services.historyPlaces });
  server.addHook("onClose", () => shares.calls.close());
  await server.register(proxyPlugin, {
    api: createProxiedApi(config.API_URL, effects, metrics, clock, shares),
    imagePrefixes,
    signIn: services.signIn,
    prover,
    closeFirst: closeFirst.before,
    refuseLate: createLateCheck(clock, arrivals.of),
  });
  await server.register(staticWebPlugin, { web, proxied: ["/api", ...imagePrefixes] });
  // After the gateway's own hook: it says goodbye to its sessions, also between two polls.
  let ended = (): void => undefined;
  server.addHook("preClose", async () => {
    ended = endConnections(server.server, CLOSE_WITHIN_MS);
  });
  server.addHook("onClose", async () => ended());
  return { server, services };
}
