import type { ChangedKind } from "@mulkko/shared/rest/operations/operation";
import { isDeviceKey } from "@mulkko/shared/rules/device-keys";
import { createAccountApi } from "../access/account-api.ts";
import { createAccountCommands } from "../access/account-commands.ts";
import type { AccountUpstream } from "../access/account-upstream.ts";
import { createCredentials } from "../access/credentials.ts";
import { createPolledReader } from "../access/polled-reader.ts";
import { tokenEnd } from "../access/token-end.ts";
import { createAccountState } from "../account/account-state.ts";
import { createActivityHistory } from "../account/activity-history.ts";
import { DeviceHandler } from "../account/device-handler.ts";
import { createDeviceIndex } from "../account/device-index.ts";
import { createDeviceMemory, writeAccount } from "../account/device-memory.ts";
import { createMessageHandler } from "../account/message-handler.ts";
import type { ReceivedMessage } from "../account/mqtt.ts";
import { createNotificationHandler } from "../account/notification-handler.ts";
import { pollChannels } from "../account/polling/channel-polls.ts";
import { pollLists } from "../account/polling/list-polls.ts";
import { deviceInterval, type Pace, type Polling } from "../account/polling/poll-pacing.ts";
import { loadPollClaims, PollUnits } from "../account/polling/poll-units.ts";
import { pollSensors } from "../account/polling/sensor-polls.ts";
import { PresenceWatch } from "../account/presence-watch.ts";
import { recentState } from "../account/stored-account-state.ts";
import { createTimeAhead } from "../account/time-ahead.ts";
import { createViewerRole, createViewers, type Interest } from "../account/viewers.ts";
import { createSpanWatch } from "../account/watched-span.ts";
import { createWriter } from "../account/writer.ts";
import type { AlarmService } from "../alarms/alarm-calls.ts";
import { OwnedAlarms } from "../alarms/alarm-service.ts";
import { createAlarmSources } from "../alarms/alarm-sources.ts";
import type { AccountReporter, NodeReporter } from "../fleet/reporter.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { SettingsService } from "../settings/settings-calls.ts";
import { createSettingsService } from "../settings/settings-service.ts";
import type { Store } from "../store/store.ts";
import { apiClockOf } from "../upstream/upstream-clock.ts";
import { createRelayCloses } from "../valves/relay-closes.ts";
import { createStoreTime } from "../valves/store-time.ts";
import type { CreateValveService, ValveService } from "../valves/valves.ts";
import { createMeterLog, createPastMoisture } from "../valves/waterings/past-moisture.ts";

/** Dependencies common to every account's owner. */
export interface AccountOwnerDeps {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly upstream: AccountUpstream;
  /** `stretch` returns the factor by which intervals are stretched. */
  readonly polling: Polling & { readonly stretch: () => number };
  readonly createService: CreateValveService;
  /** True for an administrator's account, according to its displays. */
  readonly administers: (accountId: string) => boolean;
  /** Receives the state of the account's devices for the fleet. */
  readonly fleet: Pick<NodeReporter, "account">;
}

/** An account owner's reports to this node. */
export interface AccountOwnerEvents {
  /** Another node has claimed the account. */
  readonly onStale: () => void;
  /** A reading was received; its time is ms UTC. */
  readonly onReading: (sensorId: string, at: number) => void;
}

/** ms over which failed polls are spread once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The poll unit without which an account cannot be read. */
const FIRST_LIST = "sensors";
/**
 * Create the owner of an account: it polls, receives messages, times the devices, controls the valves and
 * writes the streams.
 */
export async function createAccountOwner(
  accountId: string,
  deps: AccountOwnerDeps,
  { onStale, onReading }: AccountOwnerEvents,
): Promise<AccountOwner> {
  const { clock, timers, random, metrics, log } = deps.runtime;
  const { client, capabilities, prover, sessions, link, clock: upstreamClock, reception } = deps.upstream;
  const apiClock = apiClockOf(upstreamClock, clock);
  const { limiter, intervals, stretch } = deps.polling;
  const store = await deps.store.claim(accountId);
  await sessions.load(accountId);
  const streams = await deps.store.attach(accountId);
  const claims = await loadPollClaims(store, deps.store.now);
  const stored = recentState(streams.devices, claims.ago(FIRST_LIST) ?? Number.POSITIVE_INFINITY);
  if (stored === null) {
    // Read everything from the farm API: earlier state belongs to another epoch.
    claims.forget();
    await store.beginEpoch(new Map());
  }
  const giveUp = new AbortController();
  const credentials = createCredentials({
    accountId,
    clock,
    sessions,
    onRefused: () => sessions.refused(accountId),
  });
  const writer = createWriter({
    store,
    streams,
    stored: stored?.values ?? new Map(),
    clock,
    timers,
    log,
    observer: {
      flushed: metrics.flushed,
      logged(event) {
        if (event.kind === "command") metrics.command(event.state);
        report?.logged(event);
      },
      trouble: metrics.ownerTrouble,
      stale: onStale,
    },
  });
  const state = createAccountState(writer);
  const documents = writeAccount(store.documents, timers, log);
  const beats = createActivityHistory(clock.now);
  let isLoaded = false;
  /** Absent until everything is restored: a report names the flips and the activity of each device once. */
  let report: AccountReporter | undefined;
  state.on("changed", (key) => report?.changed(key));
  const settings = await createSettingsService({ store: store.documents, state, log });
  const viewers = createViewers(timers, () => state.emit("paceChanged"));
  const role = createViewerRole({ state, prover, link, log });
  const audience = {
    get isAttended() {
      return viewers.count > 0 || sessions.mayServe(accountId);
    },
    get isAdministrator() {
      return deps.administers(accountId);
    },
  };
  const alarms = await OwnedAlarms.load({
    state,
    store: store.documents,
    clock,
    timers,
    log,
    createSources: (sink) => createAlarmSources({ sink, state, clock, timers, link, settings, audience }),
  });
  let wasReceived = reception.mqtt;

  const pace = (key?: string): Pace => ({
    watched: viewers.watches(key),
    mqttReceived: reception.mqtt,
    intervals,
  });
  const watch = new PresenceWatch({
    clock,
    timers,
    link,
    reception,
    pollInterval(key) {
      const interval = deviceInterval(key, pace(key));
      return interval === null ? null : interval * stretch();
    },
    onDue: (key) => state.emit("deviceDue", key),
    onChange: (change) => state.emit("presenceChanged", change),
    onSourceBack: () => state.emit("sourceBack"),
  });
  state.on("deviceReported", (key, sign) => {
    beats.record(key, sign.heardAt);
    watch.reported(key, sign);
  });
  state.on("deviceAnswered", (key) => watch.answered(key));
  state.on("deviceSilentSoFar", (key) => watch.silentSoFar(key));
  state.on("deviceUnreadable", (key) => watch.cannotTell(key));
  state.on("devicePollFailed", (key) => watch.failed(key));
  state.on("paceChanged", () => watch.review());
  const isTellable = (key: string): boolean => isDeviceKey(key) && watch.quality(key) !== "unknown";
  const looked = (): string[] => (isLoaded ? [...state.keys()].filter(isTellable) : []);
  const memory = createDeviceMemory({
    ...{ store: store.documents, writer: documents, watch, beats, timers },
    watchedDevices: looked,
  });
  await memory.restore();
  const span = createSpanWatch({
    store: store.documents,
    writer: documents,
    now: deps.store.now,
    watching: () => isLoaded && credentials.any && link.state.upstream !== "down",
    timers,
  });
  await span.restore();
  const reader = createPolledReader({ client, limiter, credentials, prover, signal: giveUp.signal });
  const api = createAccountApi(reader, apiClock, log);
  const valves = await deps.createService({
    state,
    store: store.documents,
    upstream: createAccountCommands({
      client,
      capabilities,
      credentials,
      prover,
      upstreamClock,
    }),
    settings,
    past: {
      moistureOf: createPastMoisture(api, state),
      meterReadings: createMeterLog(api),
      watchedSince: span.since,
    },
    time: createStoreTime(deps.store, clock, timers),
    log,
  });
  state.on("channelReported", (channelKey, report) => valves.report(channelKey, report));
  state.on("controllerReceived", (controllerId) => valves.received(controllerId));
  state.on("deviceGone", (key) => valves.gone(key));
  state.on("deviceGone", beats.forget);
  const relayCloses = createRelayCloses({ state, valves, timers, log });
  alarms.start();
  const deviceIndex = createDeviceIndex({ state, watch, nameOf: settings.nameOf });
  const times = createTimeAhead(clock.now, apiClock.now);
  const handler = new DeviceHandler({
    state,
    deviceIndex,
    clock,
    times,
    upstreamClock,
    metrics,
  });
  state.on("readingReceived", onReading);
  const notifications = createNotificationHandler({
    ...{ store: store.documents, writer: documents, state },
    ...{ apiClock, clock, times },
  });
  const units = new PollUnits({
    clock,
    timers,
    random,
    log,
    stretch,
    claims,
    onUnclaimed: () => metrics.ownerTrouble("unclaimed"),
  });
  state.on("paceChanged", () => units.reschedule());
  pollSensors({ state, api, deviceIndex, handler, units, pace });
  pollChannels({ state, api, deviceIndex, handler, units, pace, clock });
  const lists = pollLists({ state, api, deviceIndex, notifications, units, pace, clock });
  const handleMessage = createMessageHandler({
    state,
    deviceIndex,
    handler,
    notifications,
    apiClock,
    clock,
    metrics,
    log,
  });

  report = deps.fleet.account(accountId, {
    get: state.get,
    keys: state.keys,
    events: streams.events,
    beats: beats.of,
    lastFlip: (key) => watch.lastFlip(key),
    isRead: () => isLoaded,
  });
  let loading: Promise<void> | undefined;
  if (stored !== null) {
    deviceIndex.resume(stored);
    lists.resume();
    loading = Promise.resolve();
    isLoaded = true;
  }
  const load = async (): Promise<void> => {
    await lists.load();
    state.emit("listsRead");
    await writer.flushNow();
    isLoaded = true;
    report?.read();
    memory.markWatched();
    span.look();
    void span.keep();
  };
  let newestToken: string | undefined;
  const isOpen = (): boolean => {
    for (const key of state.keys()) {
      if (key.startsWith("channel:") && state.get(key)?.onoff === 1) return true;
    }
    return false;
  };
  const lend = (token: string): void => {
    const lacked = !credentials.any;
    credentials.lend(token, tokenEnd(token, clock, upstreamClock));
    if (newestToken !== token) valves.credentialLent();
    newestToken = token;
    role.lent(token);
    if (lacked) units.retryFailed(0);
  };

  return {
    accountId,
    service: valves,
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
    written: (kinds) => state.emit("written", kinds),
    receptionChanged() {
      if (reception.mqtt && !wasReceived) state.emit("messagesMissed");
      wasReceived = reception.mqtt;
      state.emit("paceChanged");
    },
    reachable() {
      units.retryFailed(RETRY_SPREAD_MS);
    },
    paceChanged: () => state.emit("paceChanged"),
    demand: () => units.demand(),
    get viewers() {
      return viewers.count;
    },
    get idle() {
      return viewers.count === 0 && !(valves.busy ?? false) && !isOpen();
    },
    async close() {
      role.close();
      span.look();
      memory.close();
      span.close();
      report?.close();
      units.close();
      giveUp.abort();
      relayCloses.close();
      valves.close();
      await alarms.close();
      await writer.flushNow();
      writer.close();
      // Refresh tokens rotate: the next owner must find the valid ones.
      await sessions.settled(accountId);
      await memory.save();
      await span.keep();
      documents.close();
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
  /** The reception has changed; after a break of the API's MQTT output all units become due once. */
  receptionChanged(): void;
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
