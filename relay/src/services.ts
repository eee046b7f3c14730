import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { OddFields } from "@mulkko/shared/rest/odd-fields";
import { capabilityList } from "@mulkko/shared/rest/operations/account";
import type { StorageState } from "@mulkko/shared/rest/storage";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { RELAY_FOLDER, RELAY_STORE_FILE } from "@mulkko/shared/store/relay-files";
import Type from "typebox";
import { AccessEnds, endsOf } from "./access/access-ends.ts";
import { AccountAccess } from "./access/account-access.ts";
import { createOwnSignIn, type OwnSignIn } from "./access/own-sessions.ts";
import { PROOFS, TokenProver } from "./access/token-prover.ts";
import { createTokenCipher, relaySecret } from "./access/vault.ts";
import { createMqttSource, type MqttSource, type MqttSourceDeps } from "./account/mqtt.ts";
import { DEFAULT_INTERVALS, type PollIntervals } from "./account/polling/poll-pacing.ts";
import { createNodeOwners } from "./cluster/node-owners.ts";
import type { OwnersService } from "./cluster/owners.ts";
import type { Config } from "./config.ts";
import { createDisplays, type Displays } from "./displays/displays.ts";
import { HISTORY_POOL } from "./history/limits.ts";
import { createSeriesReader, type SeriesReader } from "./history/series-reader.ts";
import { Places } from "./runtime/places.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { createCronSchedule, type Schedule } from "./runtime/schedule.ts";
import { orDamaged } from "./store/embedded/durable.ts";
import { createEmbeddedStore } from "./store/embedded/embedded-store.ts";
import { notPersisted } from "./store/errors.ts";
import { type CreateClient, createRedisClient } from "./store/redis/connection.ts";
import { createRedisStore } from "./store/redis/redis-store.ts";
import { SHARDS } from "./store/shard.ts";
import type { Store } from "./store/store.ts";
import { type AuditTrail, createAuditTrail } from "./upstream/audit-trail.ts";
import { createAvailability } from "./upstream/availability.ts";
import { type CapabilityWatch, watchCapabilities } from "./upstream/capabilities.ts";
import { createUpstreamClient } from "./upstream/client.ts";
import { createLinkMonitor, type LinkWatch } from "./upstream/link-monitor.ts";
import { createOddAnswers } from "./upstream/odd-answers.ts";
import { createReception } from "./upstream/reception.ts";
import { createRelayKey } from "./upstream/relay-key.ts";
import { pollStorage } from "./upstream/storage-poll.ts";
import { createUpstreamClock } from "./upstream/upstream-clock.ts";
import { createUpstreamLimiter } from "./upstream/upstream-limiter.ts";
import { OwnedValves } from "./valves/valve-service.ts";

/** The relay without its transports: store, owners, sources and access to the farm API. */
export interface Services {
  /** Store time with the machine's monotonic clock: the common time of all nodes (RUN-4). */
  readonly clock: Clock;
  readonly owners: OwnersService;
  readonly prover: TokenProver;
  /** Everything that ends access to accounts. */
  readonly ends: AccessEnds;
  /** True while the farm API reports accounts whose tokens may have ended. */
  readonly receivesSessionEnds: () => boolean;
  /** Signs the relay in when a user signs in (CRED-1 b). */
  readonly signIn: OwnSignIn;
  readonly link: LinkWatch;
  readonly capabilities: CapabilityWatch;
  /** How far the farm API's clock is ahead of ours, ms; 0 while unknown or under 2 s (ONL-3). */
  readonly upstreamOffsetMs: () => number;
  /** Return the guarantees that the store lacks, one sentence each (NODE-3). */
  readonly shortcomings: () => readonly string[];
  /**
   * Resolves when the store is available, or after a few seconds: the relay also answers without it.
   *
   * @throws NewerSchemaError
   */
  opened(): Promise<void>;
  /** The history of sensors and channels, which drops cached results that a reading invalidates. */
  readonly series: SeriesReader;
  /** Requests for history, of all accounts. */
  readonly historyPlaces: Places;
  readonly displays: Displays;
  /** The farm API's last report on storing readings; null if it does not report. */
  readonly storage: () => StorageState | null;
  /** Deviations of the farm API's answers from the contract. */
  readonly oddFields: () => OddFields["odd"];
  readonly audit: AuditTrail;
  close(): Promise<void>;
}

/** Return the folder of the relay's files. The API locks `DATA_DIR` itself, so the relay uses a subfolder. */
export const relayFolder = (config: Config): string => join(config.DATA_DIR, RELAY_FOLDER);

const PROBE_TIMEOUT_MS = 5_000;
/** Maximum time that a start waits for the store, ms. */
const OPEN_WITHIN_MS = 5_000;
const SHARDS_LOOK_MS = 50;
/** A farm API without a database answers one request, which proves nothing about the others. */
const UNOBSERVED = {
  answered: () => undefined,
  failed: () => undefined,
  counted: () => undefined,
  odd: () => undefined,
};

/** How the services reach what is outside of this process; replaceable in tests. */
export interface Edges {
  /** Sends the calls to the farm API. */
  readonly fetch: typeof fetch;
  /** Time limits of those calls. */
  readonly callTimers: Timers;
  readonly connectMqtt: (deps: MqttSourceDeps) => MqttSource;
  readonly createSchedule: (timezone: string, onError: (error: unknown) => void) => Schedule;
  readonly createRedisClient: CreateClient;
  /** Stands between the services and their store. */
  readonly overStore: (store: Store) => Store;
  /** Returns an id that nothing had before. */
  readonly newId: () => string;
}

const EDGES: Edges = {
  fetch,
  callTimers: nodeTimers,
  connectMqtt: createMqttSource,
  createSchedule: createCronSchedule,
  createRedisClient,
  overStore: (store) => store,
  newId: randomUUID,
};

/** Open the store and start all sources. */
export function createServices(config: Config, machine: Runtime, changed: Partial<Edges> = {}): Services {
  const edges: Edges = { ...EDGES, ...changed };
  const { timers, random, metrics, log } = machine;
  const onError = notPersisted(log, "error", { event: "background-task-failed" }, "background task failed");
  const schedule = edges.createSchedule(config.API_TIMEZONE, onError);
  const { REDIS_URL: url, REDIS_PREFIX: prefix } = config;
  const storeDeps = { clock: machine.clock, timers, newEpoch: edges.newId, onError };
  const file = join(relayFolder(config), RELAY_STORE_FILE);
  // NODE-4: one node keeps its data itself, several share it in Redis.
  const base =
    url === undefined
      ? orDamaged(file, () => createEmbeddedStore({ ...storeDeps, file, schedule }))
      : createRedisStore({
          ...storeDeps,
          ...{ url, prefix, nodeId: edges.newId(), createClient: edges.createRedisClient },
          onOutage: (reason) => log.error({ event: "redis-unavailable", reason }, "Redis unavailable"),
        });
  const store = edges.overStore(base);
  // All nodes use store time, because one node continues the work of another. A machine with a wrong clock
  // then opens no valve late, trusts no old report and declares no device offline.
  const clock: Clock = { now: () => store.now(), monotonic: () => machine.clock.monotonic() };
  const runtime: Runtime = { ...machine, clock };
  const link = createLinkMonitor({
    clock,
    timers,
    mqtt: config.RELAY_MQTT_URL === "off" ? "off" : "down",
    store: store.available ? store.kind : "down",
    onError,
  });
  store.onAvailable((available) => {
    link.store(available ? store.kind : "down");
    if (available) log.info({ event: "store-available", store: store.kind }, "store available");
    else
      log.warn(
        { event: "store-unavailable", store: store.kind },
        "store unavailable: polling and opening of valves stopped",
      );
  });

  const upstreamClock = createUpstreamClock(createApiTimeZone(config.API_TIMEZONE));
  const oddAnswers = createOddAnswers({ clock, log });
  const toApi = { origin: config.API_URL, clock, timers: edges.callTimers, fetch: edges.fetch };
  const client = createUpstreamClient({
    ...toApi,
    observer: {
      answered(skew, unit) {
        link.received();
        availability.answered(unit);
        if (skew !== null) upstreamClock.noteDate(skew);
      },
      failed: (error, call) => availability.failed(error, call),
      counted: metrics.upstreamCall,
      odd(unit, fields) {
        metrics.oddFields(unit, fields.length);
        oddAnswers.note(unit, fields);
      },
    },
  });
  const capabilities = watchCapabilities({ client, timers, onError });
  const availability = createAvailability({
    timers,
    random,
    probe: () =>
      client.get(capabilityList.path, Type.Unknown(), { limits: { ms: PROBE_TIMEOUT_MS }, unit: "probe" }),
    onFailure: (isFault) => (isFault ? link.callFailed() : link.received()),
    onChange(state) {
      metrics.availability(state);
      if (state === "up") {
        // The API may have been replaced, with other extensions. Everything that depends on them comes
        // afterwards.
        capabilities.ask().then(() => link.reachable(true), onError);
      } else if (state === "down") link.reachable(false);
    },
  });
  // NODE-3: without the store of several nodes, polled state could not be written.
  const mayPoll = (): boolean => availability.isUp && (store.kind === "embedded" || store.available);
  const limiter = createUpstreamLimiter({
    clock,
    timers,
    perSecond: config.UPSTREAM_RPS,
    reachable: mayPoll,
  });
  const reachable = (): boolean => availability.isUp;
  const relayKey = createRelayKey(config.RELAY_KEY, capabilities);
  const quiet = createUpstreamClient({ ...toApi, observer: UNOBSERVED });
  const ends = new AccessEnds({
    // An answer with the database's rows shows that the API lives, also where nothing else is asked for long.
    client: createUpstreamClient({ ...toApi, observer: { ...UNOBSERVED, answered: link.received } }),
    relayKey,
    clock,
    timers,
    log,
  });
  const receivesSessionEnds = (): boolean => ends.isReporting;
  const prover = new TokenProver({
    client,
    clock,
    upstreamClock,
    proofs: store.passing(PROOFS),
    receivesSessionEnds,
    reachable,
    onError,
  });
  const cipher = createTokenCipher(relaySecret(config.RELAY_SECRET, relayFolder(config)));
  const sessions = new AccountAccess({
    ...{ client, relayKey, store, cipher, clock, upstreamClock, log, reachable, ends },
  });
  const reception = createReception({ link, capabilities, upstreamClock, clock, timers, onError });
  const historyPlaces = new Places(HISTORY_POOL, timers);
  const series = createSeriesReader({
    ...{ reader: client, capabilities, upstreamClock, clock, places: historyPlaces },
  });
  const upstream = { client, capabilities, prover, sessions, ends, link, clock: upstreamClock, reception };
  const owners = createNodeOwners(
    {
      store,
      runtime,
      upstream,
      polling: { limiter, intervals: intervalsOf(config) },
      createService: OwnedValves.load,
      administers: (accountId) => displays.isAdministrators(accountId),
      cipher,
      relayKey,
    },
    series.invalidate,
  );
  const displays = createDisplays({ store, owners, client, clock, timers, schedule, log });
  // What ends with an account's access, in this order: its tokens, its displays, the relay's own session.
  ends.onEnd((end) => {
    if (endsOf(end).tokens === "doubted" && "accountId" in end) prover.doubt(end.accountId);
    displays.accessEnded(end);
    if (endsOf(end).ownSession === "ended" && "accountId" in end)
      owners.watch.request(end.accountId, "password-changed").catch(onError);
  });
  // A session of before a deletion would be refused with 401, which says nothing about the account.
  prover.onDoubted((accountId) => sessions.doubt(accountId));
  prover.onDoubted(displays.check);
  const { signedIn } = owners.watch;
  const signIn = createOwnSignIn({
    ...{ client, capabilities, clock, upstreamClock, log, reachable, signedIn },
  });
  const audit = createAuditTrail({ client, relayKey, clock, timers, log });
  let mqtt: MqttSource | undefined;
  if (config.RELAY_MQTT_URL !== "off") {
    mqtt = edges.connectMqtt({
      url: config.RELAY_MQTT_URL,
      key: config.RELAY_KEY,
      clock,
      timers,
      log,
      observer: {
        state: link.mqtt,
        message(message) {
          link.received();
          owners.receive(message);
          series.received(message);
          const { topic, payload } = message;
          if (topic.kind === "changed") ends.message(topic.userId, payload);
        },
        rejected: () => metrics.sourceMessage("mqtt", "rejected"),
      },
    });
  }
  const storage = pollStorage({
    client: quiet,
    relayKey,
    timers,
    log,
    onState(state) {
      const { fault = null, since = null } = state ?? {};
      link.notStoring(fault === null ? null : { fault, since: since ? Date.parse(since) : clock.now() });
    },
  });
  const opened = openedWithin(store, timers);
  Promise.all([capabilities.ask(), opened])
    .then(() => owners.resume(), onError)
    .catch(onError);

  return {
    clock,
    owners,
    prover,
    ends,
    receivesSessionEnds,
    signIn,
    link,
    capabilities,
    upstreamOffsetMs: () => upstreamClock.offsetMs,
    shortcomings: () => store.shortcomings,
    opened: () => opened,
    series,
    historyPlaces,
    displays,
    storage: () => storage.state,
    oddFields: oddAnswers.list,
    audit,
    async close() {
      storage.close();
      ends.close();
      await mqtt?.close();
      audit.close();
      displays.close();
      await owners.close();
      reception.close();
      limiter.close();
      availability.close();
      capabilities.close();
      link.close();
      await store.close();
    },
  };
}

/** Wait until the store is open and this node has its shards: before that it cannot recover an account. */
async function openedWithin(store: Store, timers: Timers): Promise<void> {
  const pass = (ms: number): Promise<void> => new Promise((resolve) => timers.after(ms, resolve));
  await Promise.race([store.opened(), pass(OPEN_WITHIN_MS)]);
  for (let ms = 0; ms < OPEN_WITHIN_MS && store.available; ms += SHARDS_LOOK_MS) {
    if (store.shards.owned() * store.shards.nodes() >= SHARDS) return;
    await pass(SHARDS_LOOK_MS);
  }
}

function intervalsOf(config: Config): PollIntervals {
  const { POLL_SENSOR_MS, POLL_CHANNEL_MS, POLL_LIST_MS, POLL_LIST_UNWATCHED_MS } = config;
  const { channel, fleet, latest } = DEFAULT_INTERVALS;
  return {
    ...DEFAULT_INTERVALS,
    list: { watched: POLL_LIST_MS, unwatched: POLL_LIST_UNWATCHED_MS },
    places: { ...DEFAULT_INTERVALS.places, watched: POLL_LIST_MS },
    fleet: { ...fleet, watched: POLL_LIST_MS, unwatched: POLL_LIST_UNWATCHED_MS },
    latest: { ...latest, alone: POLL_SENSOR_MS },
    latestMqtt: { watched: POLL_SENSOR_MS },
    channel: {
      ...channel,
      watched: POLL_CHANNEL_MS,
      busyWatched: Math.min(POLL_CHANNEL_MS, channel.busyWatched),
    },
  };
}
