import { join } from "node:path";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { StorageState } from "@mulkko/shared/rest/storage";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import { RELAY_FOLDER, RELAY_STORE_FILE } from "@mulkko/shared/store/relay-files";
import Type from "typebox";
import { createNodeOwners } from "./cluster/node-owners.ts";
import type { OwnersDesk } from "./cluster/owners.ts";
import { createSeal } from "./cluster/seal.ts";
import { relaySecret } from "./cluster/secret.ts";
import type { Config } from "./config.ts";
import { createClockSuspicion } from "./core/clock-suspicion.ts";
import { DEFAULT_INTERVALS, type PollIntervals } from "./core/poll-pacing.ts";
import { createDisplays, type Displays } from "./displays/displays.ts";
import { endStale } from "./displays/end-stale.ts";
import { forgetHeard } from "./history/forget-heard.ts";
import { createSeriesReader, type SeriesReader } from "./history/series-reader.ts";
import type { AuditTrail } from "./ports/audit.ts";
import type { Log } from "./ports/log.ts";
import type { Metrics } from "./ports/metrics.ts";
import type { Timers } from "./ports/timers.ts";
import type { TokenProver } from "./ports/tokens.ts";
import type { CreateValveDesk } from "./ports/valves.ts";
import { createHearing } from "./sources/hearing.ts";
import { createMqttSource, type MqttSource } from "./sources/mqtt.ts";
import { logUnkept } from "./store/log-unkept.ts";
import { openStore } from "./store/open-store.ts";
import { SHARDS } from "./store/shard.ts";
import type { Store } from "./store/store.ts";
import { createAccountSessions } from "./upstream/account-sessions.ts";
import { createAnswerFaults, isAnswerFault } from "./upstream/answer-faults.ts";
import { createAuditTrail } from "./upstream/audit-trail.ts";
import { createBreaker } from "./upstream/breaker.ts";
import { type CapabilityWatch, watchCapabilities } from "./upstream/capabilities.ts";
import { createUpstreamClient, type UpstreamClient } from "./upstream/client.ts";
import { UpstreamStatusError, UpstreamUnreachableError } from "./upstream/errors.ts";
import { createGate } from "./upstream/gate.ts";
import { createLinkMonitor, type LinkWatch } from "./upstream/link-monitor.ts";
import { createOwnSignIn, type OwnSignIn } from "./upstream/own-sign-in.ts";
import { pollStorage } from "./upstream/storage-poll.ts";
import { createTokenProver } from "./upstream/token-prover.ts";
import { createUpstreamClock } from "./upstream/upstream-clock.ts";

/** The relay without its doors: store, owners, sources and the way to the farm API. */
export interface Heart {
  /** Store time beside the machine's monotonic clock: the one time of all nodes (RUN-4). */
  readonly clock: Clock;
  readonly owners: OwnersDesk;
  readonly prover: TokenProver;
  /** Signs the relay in beside a person who does (CRED-1 b). */
  readonly signIn: OwnSignIn;
  readonly link: LinkWatch;
  readonly capabilities: CapabilityWatch;
  readonly client: UpstreamClient;
  /** This node among those of its store. */
  readonly nodeId: string;
  /** How far the farm API's clock is ahead of ours, ms; 0 while unknown or under 2 s (ONL-3). */
  readonly upstreamOffsetMs: () => number;
  /** What the store lacks to keep its promises, one sentence each (NODE-3). */
  readonly shortcomings: () => readonly string[];
  /**
   * Resolves when the store can be used, and in any case after a few seconds: the relay answers while it is away.
   *
   * @throws NewerSchemaError
   */
  opened(): Promise<void>;
  /** The past of sensors and channels, which forgets what a reading makes untrue. */
  readonly series: SeriesReader;
  readonly displays: Displays;
  /** The farm API's last report on storing readings; null where it does not say. */
  readonly storage: () => StorageState | null;
  readonly audit: AuditTrail;
  close(): Promise<void>;
}

export interface HeartParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly createDesk: CreateValveDesk;
}

/** Folder of the relay's files. The API locks `DATA_DIR` itself, so that the relay has one of its own in it. */
export const relayFolder = (config: Config): string => join(config.DATA_DIR, RELAY_FOLDER);

const PROBE_TIMEOUT_MS = 5_000;
/** ms that a start waits for the store. */
const OPEN_WITHIN_MS = 5_000;
const SHARDS_LOOK_MS = 50;
/** A farm API without a database answers one question, which says nothing of all the others. */
const UNOBSERVED = { answered: () => undefined, failed: () => undefined, counted: () => undefined };

/** Statuses with which a server, or a gateway in front of it, says that it is away. */
const AWAY = new Set([502, 503, 504]);

/** Opens the store and begins to listen and ask. */
export function startHeart(parts: HeartParts): Heart {
  const { config, clock: machine, timers, random, metrics, log } = parts;
  const onError = (error: unknown): void =>
    logUnkept(log, "error", { err: error }, "a part of the relay failed");
  const zone = createApiTimeZone(config.API_TIMEZONE);
  const store = openStore({
    redisUrl: config.REDIS_URL,
    redisPrefix: config.REDIS_PREFIX,
    file: join(relayFolder(config), RELAY_STORE_FILE),
    clock: machine,
    timers,
    onError,
  });
  // What one node notes another goes on with, and a command's times are the store's: so all nodes live in its time,
  // and a machine whose clock is wrong opens no valve late, believes no old report and calls nobody offline.
  const clock: Clock = { now: () => store.now(), monotonic: () => machine.monotonic() };
  const link = createLinkMonitor({
    clock,
    timers,
    mqtt: config.RELAY_MQTT_URL === "off" ? "off" : "down",
    store: store.available ? store.kind : "down",
    onError,
  });
  store.onAvailable((available) => {
    link.store(available ? store.kind : "down");
    if (available) log.info({ store: store.kind }, "the store is there");
    else log.warn({ store: store.kind }, "the store is away: nothing is polled, and no valve is opened");
  });

  const upstreamClock = createUpstreamClock();
  const suspicion = createClockSuspicion();
  const answers = createAnswerFaults();
  const client = createUpstreamClient({
    origin: config.API_URL,
    clock,
    observer: {
      answered(skew, unit) {
        link.heard();
        answers.succeeded(unit);
        if (!answers.isAll) breaker.succeeded();
        if (skew === null) return;
        upstreamClock.noteSkew(skew);
        suspicion.noteDate(skew);
      },
      failed(error, call) {
        const away =
          error instanceof UpstreamUnreachableError || (error.status !== null && AWAY.has(error.status));
        if (away) {
          link.stumbled();
          breaker.failed();
        } else if (isAnswerFault(error)) {
          if (answers.failed(call)) link.stumbled();
          else link.heard();
          if (answers.isAll) breaker.trip();
        } else {
          link.heard();
          if (!answers.isAll) breaker.succeeded();
        }
      },
      counted: metrics.upstreamCall,
    },
  });
  const capabilities = watchCapabilities({ client, timers, onError });
  const breaker = createBreaker({
    timers,
    random,
    async probe() {
      try {
        await client.get(apiPath.capabilities, Type.Unknown(), {
          timeoutMs: PROBE_TIMEOUT_MS,
          unit: "probe",
        });
      } catch (error) {
        const isAway =
          error instanceof UpstreamUnreachableError ||
          (error instanceof UpstreamStatusError && AWAY.has(error.status));
        if (isAway) return false;
      }
      return answers.isServed();
    },
    onChange(state) {
      metrics.breaker(state);
      if (state === "closed") {
        // The API may be another one since, with other extensions: what depends on them comes after.
        capabilities.ask().then(() => link.reachable(true), onError);
      } else if (state === "open") link.reachable(false);
    },
  });
  // NODE-3: what is polled while a store of several nodes is away could be written nowhere.
  const mayPoll = (): boolean => !breaker.open && (store.kind === "embedded" || store.available);
  const gate = createGate({ clock, timers, perSecond: config.UPSTREAM_RPS, reachable: mayPoll });
  const prover = createTokenProver({ client, clock, proofs: store.proofs, onError });
  const seal = createSeal(relaySecret(config.RELAY_SECRET, relayFolder(config)));
  const reachable = (): boolean => !breaker.open;
  const key = config.RELAY_KEY;
  const sessions = createAccountSessions({ client, capabilities, store, seal, clock, log, key, reachable });
  const hearing = createHearing({ link, capabilities, clock, onError });
  const series = createSeriesReader({ reader: client, capabilities, zone, clock });
  const owners = createNodeOwners({
    store,
    client,
    gate,
    prover,
    capabilities,
    sessions,
    upstreamClock,
    createDesk: parts.createDesk,
    onReading: series.heard,
    hearing,
    suspicion,
    administers: (accountId) => displays.isAdministrators(accountId),
    zone,
    clock,
    timers,
    random,
    intervals: intervalsOf(config),
    metrics,
    log,
    link,
    perSecond: config.UPSTREAM_RPS,
    stretch: () => 1,
    seal,
  });
  const displays = createDisplays({ store, owners, client, clock, timers, log });
  sessions.onGone(displays.revokeOf);
  sessions.onDisabled(displays.suspend);
  sessions.onEnded(displays.suspend);
  sessions.onRefused(displays.check);
  prover.onDoubted(displays.check);
  const { signedIn } = owners.watch;
  const signIn = createOwnSignIn({ client, capabilities, clock, log, reachable, signedIn });
  const audit = createAuditTrail({ client, capabilities, clock, timers, key, log });
  let mqtt: MqttSource | undefined;
  if (config.RELAY_MQTT_URL !== "off") {
    mqtt = createMqttSource({
      url: config.RELAY_MQTT_URL,
      key: config.RELAY_KEY,
      clock,
      timers,
      log,
      onState: link.mqtt,
      onMessage(message) {
        link.heard();
        owners.hear(message);
        forgetHeard(series, message);
        endStale(message, { prover, displays, watch: owners.watch, onError });
      },
      onRejected: () => metrics.sourceMessage("mqtt", "rejected"),
    });
  }
  const storage = pollStorage({
    client: createUpstreamClient({ origin: config.API_URL, clock, observer: UNOBSERVED }),
    capabilities,
    timers,
    key,
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
    signIn,
    link,
    capabilities,
    client,
    nodeId: store.node.id,
    upstreamOffsetMs: () => upstreamClock.offsetMs,
    shortcomings: () => store.shortcomings,
    opened: () => opened,
    series,
    displays,
    storage: () => storage.state,
    audit,
    async close() {
      storage.close();
      await mqtt?.close();
      audit.close();
      displays.close();
      await owners.close();
      gate.close();
      breaker.close();
      capabilities.close();
      link.close();
      await store.close();
    },
  };
}

/** Also waits until this node has its shards: until then it could not take an account up. */
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
