import { channelKey } from "@mulkko/shared/rules/device-keys";
import { tokenExpiry } from "@mulkko/shared/rules/token-expiry";
import { type AccountPolling, createAccountPolling } from "../account/account-polling.ts";
import { createActivityHistory } from "../account/activity-history.ts";
import { createDeviceHandler } from "../account/device-handler.ts";
import { createDeviceIndex, type DeviceIndex } from "../account/device-index.ts";
import { createDeviceMemory } from "../account/device-memory.ts";
import { createMessageHandler } from "../account/message-handler.ts";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { createNotificationHandler } from "../account/notification-handler.ts";
import { createPresenceWatch } from "../account/presence-watch.ts";
import { recentState } from "../account/stored-account-state.ts";
import { createViewers, type Interest } from "../account/viewers.ts";
import { createSpanWatch } from "../account/watched-span.ts";
import { createWriter } from "../account/writer.ts";
import { type AlarmService, createAlarmService } from "../alarms/alarm-service.ts";
import { tapWriter } from "../alarms/tapped-writer.ts";
import { createSettingsService, type SettingsService } from "../settings/settings-service.ts";
import { createAccountApi } from "../upstream/account-api.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import type { ChangedKind } from "../upstream/changed-kinds.ts";
import { createCredentials } from "../upstream/credentials.ts";
import type { ValveService } from "../valves/valves.ts";
import { createPastMoisture } from "../valves/waterings/past-moisture.ts";
import type { OwnerDeps } from "./owner-deps.ts";

/** ms over which failed polls are spread once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The poll unit without which an account cannot be read. */
const FIRST_LIST = "sensors";
/**
 * Create the owner of an account: it polls, receives messages, times the devices, controls the valves and
 * writes the streams.
 *
 * @param onStale called when another node has claimed the account
 */
export async function createAccountOwner(
  accountId: string,
  deps: OwnerDeps,
  onStale: () => void,
): Promise<AccountOwner> {
  const { clock, timers, zone, mqttCoverage, metrics, capabilities, prover, client } = deps;
  const log = deps.log;
  const store = await deps.store.claim(accountId);
  await deps.sessions.load(accountId);
  const streams = await deps.store.attach(accountId);
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  const stored = recentState(
    streams.devices,
    deps.store.now() - (claims.get(FIRST_LIST) ?? Number.NEGATIVE_INFINITY),
  );
  // Read everything from the farm API: earlier state belongs to another epoch.
  if (stored === null) await store.beginEpoch(new Map());
  const giveUp = new AbortController();
  const credentials = createCredentials({
    accountId,
    clock,
    sessions: deps.sessions,
    onRefused: () => deps.sessions.refused(accountId),
  });
  const flushed = createWriter({
    store,
    streams,
    stored: stored?.values ?? new Map(),
    clock,
    timers,
    log,
    onFlushed: metrics.flushed,
    onTrouble: metrics.ownerTrouble,
    onChanged: (key) => feed.changed(key),
    onLogged(event) {
      if (event.kind === "command") metrics.command(event.state);
      feed.logged(event);
    },
    onStale,
  });
  const beats = createActivityHistory(clock.now);
  const feed = deps.fleet.account(accountId, {
    get: flushed.get,
    keys: flushed.keys,
    events: streams.events,
    beats: beats.of,
  });
  const settings = await createSettingsService({
    store: store.settings,
    state: flushed,
    log,
    onChanged(change) {
      if (change.about === "channel") {
        flushed.patch(channelKey(change.id), { name: settings.nameOf(change.id) });
      }
      alarms.reviewed();
    },
  });
  let attended = (): boolean => false;
  let newestToken: string | undefined;
  let isAdministrators = false;
  /** The newest token's role matters only while readings are not stored; its proof is normally cached. */
  const noteRole = (): void => {
    if (newestToken === undefined || deps.link.state.notStoring === null) return;
    prover.prove(newestToken).then(
      (proof) => {
        if (!proof.ok) return;
        isAdministrators = proof.proven.account.userType === "ADMIN";
        alarms.roleReviewed();
      },
      (error: unknown) =>
        log.debug({ event: "role-unknown", err: error }, "failed to read the role of a viewer"),
    );
  };
  const stopNoting = deps.link.listen(noteRole);
  let valves: ValveService | undefined;
  const alarms = await createAlarmService({
    writer: flushed,
    store: store.alarms,
    link: deps.link,
    clock,
    timers,
    log,
    capMs: (controllerId) => settings.runs.capSeconds(controllerId) * 1_000,
    adopts: () => settings.adoptExternal,
    valves: () => valves,
    attended: () => attended(),
    administers: () => isAdministrators || deps.administers(accountId),
  });
  const writer = tapWriter(flushed, alarms);
  let polling: AccountPolling | undefined;
  let deviceIndex: DeviceIndex | undefined;
  let wasReceived = mqttCoverage.received;

  const watch = createPresenceWatch({
    clock,
    timers,
    pollInterval: (key) => (mqttCoverage.received ? null : (polling?.pollInterval(key) ?? null)),
    coveredSince: mqttCoverage.coveredSince,
    clockSuspect: () => deps.suspicion.suspectedOffset() !== null,
    doubts: deps.doubts,
    link: deps.link,
    ask: (key) => polling?.ask(key),
    onChange: (change) => handler.presence(change),
  });
  let isLoaded = false;
  const isTellable = (key: string): boolean =>
    (key.startsWith("sensor:") || key.startsWith("controller:")) && watch.quality(key) !== "unknown";
  const looked = (): string[] => (isLoaded ? [...flushed.keys()].filter(isTellable) : []);
  const memory = createDeviceMemory({ store, watch, beats, watchedDevices: looked, timers, log });
  await memory.restore();
  const span = createSpanWatch({
    store,
    now: deps.store.now,
    watching: () => isLoaded && credentials.any && deps.link.state.upstream !== "down",
    timers,
    log,
  });
  await span.restore();
  const api = createAccountApi({
    client,
    limiter: deps.limiter,
    credentials,
    prover,
    log,
    signal: giveUp.signal,
  });
  const service = await deps.createService({
    accountId,
    writer,
    store: store.valves,
    upstream: createAccountCommands({
      client,
      capabilities,
      credentials,
      prover,
      upstreamClock: deps.upstreamClock,
    }),
    reads: { due: (key, inMs) => polling?.channelDue(key, inMs) },
    runs: settings.runs,
    apiOffsetMs: () => deps.upstreamClock.offsetMs,
    flowSensorOf: settings.flowSensorOf,
    pastMoisture: createPastMoisture({ api, writer, zone }),
    watchedSince: span.since,
    clock,
    timers,
    log,
  });
  valves = service;
  const handler = createDeviceHandler({
    writer,
    watch: {
      ...watch,
      reported(key, sign) {
        beats.record(key, sign.heardAt);
        watch.reported(key, sign);
      },
    },
    valves: service,
    clock,
    apiOffsetMs: () => deps.upstreamClock.offsetMs,
    onAhead: (via) => metrics.sourceMessage(via, "ahead"),
    onReading: (sensorId, at) => deps.onReading?.(accountId, sensorId, at),
    channelsOf: (key) => deviceIndex?.channelsOf(key) ?? [],
    deviceOf: (key) => deviceIndex?.channels.get(key)?.deviceKey,
  });
  deviceIndex = createDeviceIndex({
    writer,
    watch,
    nameOf: settings.nameOf,
    onGone(key) {
      beats.forget(key);
      handler.forget(key);
      service.gone(key);
      polling?.forget(key);
    },
    onChanged: () => polling?.follow(),
  });
  const paceChanged = (): void => {
    polling?.units.reschedule();
    watch.review();
  };
  const viewers = createViewers(timers, paceChanged);
  attended = () => viewers.count > 0 || deps.sessions.mayServe(accountId);
  const notifications = createNotificationHandler({
    store,
    writer,
    zone,
    clock,
    apiOffsetMs: () => deps.upstreamClock.offsetMs,
    log,
  });
  polling = createAccountPolling({
    ...deps,
    accountId,
    api,
    deviceIndex,
    handler,
    notifications,
    watch,
    writer,
    watches: viewers.watches,
    mqttReceived: () => mqttCoverage.received,
    claim: store.claimUnit,
    onUnclaimed: () => metrics.ownerTrouble("unclaimed"),
    claimedAgo(unit) {
      const at = stored === null ? undefined : claims.get(unit);
      return at === undefined ? undefined : Math.max(0, deps.store.now() - at);
    },
    onAccess: alarms.access,
    onNews: (news) => metrics.sourceMessage("poll", news ? "changed" : "same"),
  });
  const polls = polling;
  const handleMessage = createMessageHandler({
    deviceIndex,
    handler,
    notifications,
    zone,
    log,
    onWritten: polls.written,
    onReceivedSensor: polls.receivedSensor,
    onUnknownChannel: (key) => polls.channelDue(key, 0),
    onOutcome: (outcome) => metrics.sourceMessage("mqtt", outcome),
  });

  let loading: Promise<void> | undefined;
  if (stored !== null) {
    deviceIndex.resume(stored);
    polls.resume();
    polls.follow();
    loading = Promise.resolve();
    isLoaded = true;
  }
  const load = async (): Promise<void> => {
    await polls.load();
    polls.follow();
    alarms.loaded();
    await flushed.flushNow();
    isLoaded = true;
    memory.markWatched();
    span.look();
    void span.keep();
  };
  const isOpen = (): boolean => {
    for (const key of writer.keys()) {
      if (key.startsWith("channel:") && writer.get(key)?.onoff === 1) return true;
    }
    return false;
  };
  const lend = (token: string): void => {
    const lacked = !credentials.any;
    credentials.lend(token, tokenExpiry(token, clock.now()));
    if (newestToken !== token) service.credentialLent();
    newestToken = token;
    noteRole();
    if (lacked) polls.units.retryFailed(0);
  };

  return {
    accountId,
    service,
    alarms,
    settings,
    lend,
    load() {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    get loaded() {
      return isLoaded;
    },
    interest: viewers.set,
    receive: handleMessage,
    written: polls.written,
    lastSeenChanged() {
      if (mqttCoverage.received && !wasReceived) polls.allDue();
      wasReceived = mqttCoverage.received;
      paceChanged();
    },
    reachable() {
      polls.units.retryFailed(RETRY_SPREAD_MS);
    },
    paceChanged,
    demand: () => polls.units.demand(),
    get viewers() {
      return viewers.count;
    },
    get idle() {
      return viewers.count === 0 && !(service.busy ?? false) && !isOpen();
    },
    async close() {
      stopNoting();
      span.look();
      memory.close();
      span.close();
      feed.close();
      polls.close();
      giveUp.abort();
      service.close();
      await alarms.close();
      await flushed.flushNow();
      flushed.close();
      // Refresh tokens rotate: the next owner must find the valid ones.
      await deps.sessions.settled(accountId);
      await memory.save();
      await span.keep();
      watch.close();
      viewers.close();
      streams.detach();
      await deps.store.release(accountId, store.fence);
    },
  };
}

export interface AccountOwner {
  readonly accountId: string;
  readonly service: ValveService;
  readonly alarms: AlarmService;
  readonly settings: SettingsService;
  /** Make a viewer's token available for polling until it expires. */
  lend(token: string): void;
  /** Set the interest of a node's viewers; that of other nodes counts until `forMs` without a renewal. */
  interest(node: string, interest: Interest | null, forMs?: number): void;
  /**
   * Resolves when the account's first state is present; rejects with an `UpstreamError` if it cannot be
   * read.
   */
  load(): Promise<void>;
  /** True once the account has been read. */
  readonly loaded: boolean;
  receive(message: ReceivedMessage): void;
  written(kinds: readonly ChangedKind[]): void;
  /** The reception of the API's MQTT output started or stopped; after a break all units become due once. */
  lastSeenChanged(): void;
  /** The API answers again: failed units become due. */
  reachable(): void;
  /** The stretch factor, or the trust in the API's clock, has changed. */
  paceChanged(): void;
  demand(): { stretchable: number; fixed: number };
  readonly viewers: number;
  /**
   * False while a viewer is present, or a valve is open or in motion: the owner must not be released then.
   */
  readonly idle: boolean;
  close(): Promise<void>;
}
