import { isDeviceKey } from "@mulkko/shared/rules/device-keys";
import { type AccountApi, createAccountApi } from "../access/account-api.ts";
import { createAccountCommands } from "../access/account-commands.ts";
import type { AccountUpstream } from "../access/account-upstream.ts";
import { createCredentials } from "../access/credentials.ts";
import { createPolledReader } from "../access/polled-reader.ts";
import { createAccountState } from "../account/account-state.ts";
import { createActivityHistory } from "../account/activity-history.ts";
import { DeviceHandler } from "../account/device-handler.ts";
import { createDeviceIndex } from "../account/device-index.ts";
import { createDeviceMemory, writeAccount } from "../account/device-memory.ts";
import { createMessageHandler } from "../account/message-handler.ts";
import { createNotificationHandler } from "../account/notification-handler.ts";
import { pollChannels } from "../account/polling/channel-polls.ts";
import { pollLists } from "../account/polling/list-polls.ts";
import { deviceInterval, type Pace, type Polling } from "../account/polling/poll-pacing.ts";
import { loadPollClaims, PollUnits } from "../account/polling/poll-units.ts";
import { pollSensors } from "../account/polling/sensor-polls.ts";
import { PresenceWatch } from "../account/presence-watch.ts";
import { recentState } from "../account/stored-account-state.ts";
import { createTimeAhead } from "../account/time-ahead.ts";
import { createViewerRole, createViewers } from "../account/viewers.ts";
import { createSpanWatch } from "../account/watched-span.ts";
import { createWriter } from "../account/writer.ts";
import { OwnedAlarms } from "../alarms/alarm-service.ts";
import { createAlarmSources } from "../alarms/alarm-sources.ts";
import type { AccountReporter, NodeReporter } from "../fleet/reporter.ts";
import type { FirstRead } from "../runtime/first-read.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { createSettingsService, type OwnedSettings } from "../settings/settings-service.ts";
import type { AccountStore, Store } from "../store/store.ts";
import type { DocumentWriter } from "../store/write-behind.ts";
import { apiClockOf } from "../upstream/upstream-clock.ts";
import { createRelayCloses } from "../valves/relay-closes.ts";
import { createStoreTime } from "../valves/store-time.ts";
import type { CreateValveService } from "../valves/valves.ts";
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

/** The poll unit without which an account cannot be read. */
const FIRST_LIST = "sensors";

type Observer = Parameters<typeof createWriter>[0]["observer"];

/** Open the account's streams. State of another epoch is forgotten: all is read from the farm API again. */
async function openStreams(
  accountId: string,
  deps: AccountOwnerDeps,
  store: AccountStore,
  observer: Observer,
) {
  const { clock, timers, log } = deps.runtime;
  const streams = await deps.store.attach(accountId);
  const claims = await loadPollClaims(store, deps.store.now);
  const stored = recentState(streams.devices, claims.ago(FIRST_LIST) ?? Number.POSITIVE_INFINITY);
  if (stored === null) {
    claims.forget();
    await store.beginEpoch(new Map());
  }
  const values = stored?.values ?? new Map();
  const writer = createWriter({ store, streams, stored: values, clock, timers, log, observer });
  return { streams, claims, stored, writer, state: createAccountState(writer) };
}

type Opened = Awaited<ReturnType<typeof openStreams>>;

/** Parts of the watch over an account's devices. */
interface WatchParts extends Pick<AccountOwnerDeps, "store" | "runtime" | "upstream" | "polling"> {
  readonly state: Opened["state"];
  readonly account: AccountStore;
  readonly documents: DocumentWriter;
  readonly pace: (key?: string) => Pace;
  readonly hasCredentials: () => boolean;
  readonly firstRead: FirstRead;
}

/** Watch which devices of the account are silent, with what is known of them from before. */
async function watchDevices(parts: WatchParts) {
  const { account, documents, firstRead, hasCredentials, pace, polling, runtime, state, store } = parts;
  const { clock, timers } = runtime;
  const { link, reception } = parts.upstream;
  const beats = createActivityHistory(clock.now);
  const watch = new PresenceWatch({
    clock,
    timers,
    link,
    reception,
    pollInterval(key) {
      const interval = deviceInterval(key, pace(key));
      return interval === null ? null : interval * polling.stretch();
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
  const memory = createDeviceMemory({
    ...{ store: account.documents, writer: documents, watch, beats, timers },
    watchedDevices: () => (firstRead.isDone ? [...state.keys()].filter(isTellable) : []),
  });
  await memory.restore();
  const span = createSpanWatch({
    store: account.documents,
    writer: documents,
    now: store.now,
    watching: () => firstRead.isDone && hasCredentials() && link.state.upstream !== "down",
    timers,
  });
  await span.restore();
  return { beats, watch, memory, span };
}

/** Poll and receive the account: what reads its devices into its state. */
function readDevices(parts: {
  readonly deps: AccountOwnerDeps;
  readonly opened: Opened;
  readonly account: AccountStore;
  readonly documents: DocumentWriter;
  readonly watch: PresenceWatch;
  readonly api: AccountApi;
  readonly nameOf: OwnedSettings["nameOf"];
  readonly pace: (key?: string) => Pace;
  readonly onReading: AccountOwnerEvents["onReading"];
}) {
  const { account, api, deps, documents, opened, pace, watch } = parts;
  const { claims, state } = opened;
  const { clock, timers, random, metrics, log } = deps.runtime;
  const upstreamClock = deps.upstream.clock;
  const apiClock = apiClockOf(upstreamClock, clock);
  const deviceIndex = createDeviceIndex({ state, watch, nameOf: parts.nameOf });
  const times = createTimeAhead(clock.now, apiClock.now);
  const handler = new DeviceHandler({ state, deviceIndex, clock, times, upstreamClock, metrics });
  state.on("readingReceived", parts.onReading);
  const notifications = createNotificationHandler({
    ...{ store: account.documents, writer: documents, state },
    ...{ apiClock, clock, times },
  });
  const units = new PollUnits({
    clock,
    timers,
    random,
    log,
    stretch: deps.polling.stretch,
    claims,
    onUnclaimed: () => metrics.ownerTrouble("unclaimed"),
  });
  state.on("paceChanged", () => units.reschedule());
  pollSensors({ state, api, deviceIndex, handler, units, pace });
  pollChannels({ state, api, deviceIndex, handler, units, pace, clock });
  const lists = pollLists({ state, api, deviceIndex, notifications, units, pace, clock });
  const receive = createMessageHandler({
    state,
    deviceIndex,
    handler,
    notifications,
    apiClock,
    clock,
    metrics,
    log,
  });
  return { deviceIndex, units, lists, receive };
}

/** Parts of an account's owner. */
export type AccountParts = Awaited<ReturnType<typeof createAccountParts>>;

/**
 * Create the parts of an account's owner, and connect them. Whatever is kept of the account is restored.
 *
 * @param firstRead whether the account has been read
 */
export async function createAccountParts(
  accountId: string,
  deps: AccountOwnerDeps,
  { onStale, onReading }: AccountOwnerEvents,
  firstRead: FirstRead,
) {
  const { clock, timers, metrics, log } = deps.runtime;
  const { client, capabilities, prover, sessions, link, clock: upstreamClock, reception } = deps.upstream;
  const apiClock = apiClockOf(upstreamClock, clock);
  const { limiter, intervals } = deps.polling;
  const account = await deps.store.claim(accountId);
  await sessions.load(accountId);
  /** Absent until everything is restored: a report names the flips and the activity of each device once. */
  let report: AccountReporter | undefined;
  const opened = await openStreams(accountId, deps, account, {
    flushed: metrics.flushed,
    logged(event) {
      if (event.kind === "command") metrics.command(event.state);
      report?.logged(event);
    },
    trouble: metrics.ownerTrouble,
    stale: onStale,
  });
  const { streams, stored, writer, state } = opened;
  const giveUp = new AbortController();
  const credentials = createCredentials({
    accountId,
    clock,
    sessions,
    onRefused: () => sessions.refused(accountId),
  });
  const documents = writeAccount(account.documents, timers, log);
  state.on("changed", (key) => report?.changed(key));
  const settings = await createSettingsService({ store: account.documents, state, log });
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
    store: account.documents,
    clock,
    timers,
    log,
    createSources: (sink) => createAlarmSources({ sink, state, clock, timers, link, settings, audience }),
  });
  const pace = (key?: string): Pace => ({
    watched: viewers.watches(key),
    mqttReceived: reception.mqtt,
    intervals,
  });
  const { beats, watch, memory, span } = await watchDevices({
    ...deps,
    ...{ state, account, documents, pace, firstRead },
    hasCredentials: () => credentials.any,
  });
  const reader = createPolledReader({ client, limiter, credentials, prover, signal: giveUp.signal });
  const api = createAccountApi(reader, apiClock, log);
  const valves = await deps.createService({
    state,
    store: account.documents,
    upstream: createAccountCommands({ client, capabilities, credentials, prover, upstreamClock }),
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
  const { nameOf } = settings;
  const reading = readDevices({ deps, opened, account, documents, watch, api, nameOf, pace, onReading });
  report = deps.fleet.account(accountId, {
    get: state.get,
    keys: state.keys,
    events: streams.events,
    beats: beats.of,
    lastFlip: (key) => watch.lastFlip(key),
    isRead: () => firstRead.isDone,
  });
  return {
    ...{ account, streams, stored, writer, state, documents, settings, viewers, role, alarms },
    ...{ credentials, giveUp, watch, memory, span, valves, relayCloses, report },
    ...reading,
  };
}
