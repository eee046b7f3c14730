import { channelKey } from "@mulkko/shared/live/keys";
import { createAlarmDesk } from "../alarms/alarm-desk.ts";
import { tapWriter } from "../alarms/tapped-writer.ts";
import { createBeats } from "../core/beats.ts";
import type { ValveDesk } from "../ports/valves.ts";
import { createSettingsDesk } from "../settings/settings-desk.ts";
import { createAccountApi } from "../upstream/account-api.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import { createCredentials } from "../upstream/credentials.ts";
import { jwtExpiry } from "../upstream/jwt-expiry.ts";
import { createPastMoisture } from "../waterings/past-moisture.ts";
import { type AccountPolling, createAccountPolling } from "./account-polling.ts";
import { createDeviceIntake } from "./device-intake.ts";
import { createDeviceMemory } from "./device-memory.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { takenOver } from "./kept-account.ts";
import { createMessageIntake } from "./message-intake.ts";
import { createNotificationIntake } from "./notification-intake.ts";
import type { AccountOwner } from "./owner.ts";
import type { OwnerParts } from "./owner-parts.ts";
import { createPresenceWatch } from "./presence-watch.ts";
import { createViewers } from "./viewers.ts";
import { createWriter } from "./writer.ts";

/** AUTH-1: ms that a token without an end of its own is lent for. */
const WITHOUT_EXPIRY_MS = 1_800_000;
/** ms over which what failed is asked again once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The poll unit without which an account is not read at all. */
const FIRST_LIST = "sensors";
/**
 * The owner of an account: polls, listens, times its devices, minds its valves, and writes its streams.
 *
 * @param onStale told when somebody else has claimed the account
 */
export async function createAccountOwner(
  accountId: string,
  parts: OwnerParts,
  onStale: () => void,
): Promise<AccountOwner> {
  const { clock, timers, zone, hearing, metrics, capabilities, prover, client } = parts;
  const log = parts.log;
  const store = await parts.store.claim(accountId);
  await parts.sessions.load(accountId);
  const streams = await parts.store.attach(accountId);
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  const kept = takenOver(
    streams.devices,
    parts.store.now() - (claims.get(FIRST_LIST) ?? Number.NEGATIVE_INFINITY),
  );
  // Read from the farm API anew: what was there before is of another epoch.
  if (kept === null) await store.beginEpoch(new Map());
  const giveUp = new AbortController();
  const credentials = createCredentials({
    accountId,
    clock,
    sessions: parts.sessions,
    onRefused: () => parts.sessions.refused(accountId),
  });
  const flushed = createWriter({
    store,
    streams,
    kept: kept?.values ?? new Map(),
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
  const beats = createBeats(clock.now);
  const feed = parts.fleet.account(accountId, {
    get: flushed.get,
    keys: flushed.keys,
    events: streams.events,
    beats: beats.of,
  });
  const settings = await createSettingsDesk({
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
  /** Whose the newest token is counts only while readings are not stored; its proof is remembered as a rule. */
  const noteRole = (): void => {
    if (newestToken === undefined || parts.link.state.notStoring === null) return;
    prover.prove(newestToken).then(
      (proof) => {
        if (!proof.ok) return;
        isAdministrators = proof.proven.account.userType === "ADMIN";
        alarms.roleReviewed();
      },
      (error: unknown) => log.debug({ err: error }, "a viewer's role is not known"),
    );
  };
  const stopNoting = parts.link.listen(noteRole);
  let valves: ValveDesk | undefined;
  const alarms = await createAlarmDesk({
    writer: flushed,
    store: store.alarms,
    link: parts.link,
    clock,
    timers,
    log,
    capMs: (controllerId) => settings.runs.capSeconds(controllerId) * 1_000,
    adopts: () => settings.adoptExternal,
    valves: () => valves,
    attended: () => attended(),
    administers: () => isAdministrators || parts.administers(accountId),
  });
  const writer = tapWriter(flushed, alarms);
  let polling: AccountPolling | undefined;
  let directory: Directory | undefined;
  let seenHeard = hearing.heard;

  const watch = createPresenceWatch({
    clock,
    timers,
    pollInterval: (key) => (hearing.heard ? null : (polling?.pollInterval(key) ?? null)),
    heardSince: hearing.heardSince,
    clockSuspect: () => parts.suspicion.suspectedOffset() !== null,
    doubts: parts.doubts,
    ask: (key) => polling?.ask(key),
    onChange: (change) => intake.presence(change),
  });
  let isLoaded = false;
  const isTellable = (key: string): boolean =>
    (key.startsWith("sensor:") || key.startsWith("controller:")) && watch.quality(key) !== "unknown";
  const looked = (): string[] => (isLoaded ? [...flushed.keys()].filter(isTellable) : []);
  const memory = createDeviceMemory({ store, watch, beats, looked, timers, log });
  await memory.restore();
  const api = createAccountApi({
    client,
    gate: parts.gate,
    credentials,
    prover,
    log,
    signal: giveUp.signal,
  });
  const desk = await parts.createDesk({
    accountId,
    writer,
    store: store.valves,
    upstream: createAccountCommands({
      client,
      capabilities,
      credentials,
      prover,
      upstreamClock: parts.upstreamClock,
    }),
    reads: { due: (key, inMs) => polling?.channelDue(key, inMs) },
    runs: settings.runs,
    flowSensorOf: settings.flowSensorOf,
    pastMoisture: createPastMoisture({ api, writer, zone }),
    clock,
    timers,
    log,
  });
  valves = desk;
  const intake = createDeviceIntake({
    writer,
    watch: {
      ...watch,
      heard(key, sign) {
        beats.heard(key, sign.heardAt);
        watch.heard(key, sign);
      },
    },
    desk,
    clock,
    onReading: (sensorId, at) => parts.onReading?.(accountId, sensorId, at),
    channelsOf: (key) => directory?.channelsOf(key) ?? [],
    deviceOf: (key) => directory?.channels.get(key)?.deviceKey,
  });
  directory = createDirectory({
    writer,
    watch,
    nameOf: settings.nameOf,
    onGone(key) {
      beats.forget(key);
      intake.forget(key);
      desk.gone(key);
      polling?.forget(key);
    },
    onChanged: () => polling?.follow(),
  });
  const paceChanged = (): void => {
    polling?.units.reschedule();
    watch.review();
  };
  const viewers = createViewers(timers, paceChanged);
  attended = () => viewers.count > 0 || parts.sessions.mayServe(accountId);
  const notifications = createNotificationIntake({ store, writer, zone, log });
  polling = createAccountPolling({
    ...parts,
    accountId,
    api,
    directory,
    intake,
    notifications,
    watch,
    writer,
    watches: viewers.watches,
    heard: () => hearing.heard,
    claim: store.claimUnit,
    onUnclaimed: () => metrics.ownerTrouble("unclaimed"),
    claimedAgo(unit) {
      const at = kept === null ? undefined : claims.get(unit);
      return at === undefined ? undefined : Math.max(0, parts.store.now() - at);
    },
    onAccess: alarms.access,
    onNews: (news) => metrics.sourceMessage("poll", news ? "changed" : "same"),
  });
  const polls = polling;
  const hear = createMessageIntake({
    directory,
    intake,
    notifications,
    zone,
    log,
    onTouched: polls.touched,
    onHeardSensor: polls.heardSensor,
    onUnknownChannel: (key) => polls.channelDue(key, 0),
    onOutcome: (outcome) => metrics.sourceMessage("mqtt", outcome),
  });

  let loading: Promise<void> | undefined;
  if (kept !== null) {
    directory.resume(kept);
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
    memory.look();
  };
  const isOpen = (): boolean => {
    for (const key of writer.keys()) {
      if (key.startsWith("channel:") && writer.get(key)?.onoff === 1) return true;
    }
    return false;
  };
  const lend = (token: string): void => {
    const lacked = !credentials.any;
    credentials.lend(token, jwtExpiry(token) ?? clock.now() + WITHOUT_EXPIRY_MS);
    newestToken = token;
    noteRole();
    if (lacked) polls.units.retryFailed(0);
  };

  return {
    accountId,
    desk,
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
    hear,
    touched: polls.touched,
    heardChanged() {
      if (hearing.heard && !seenHeard) polls.allDue();
      seenHeard = hearing.heard;
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
      return viewers.count === 0 && !(desk.busy ?? false) && !isOpen();
    },
    async close() {
      stopNoting();
      memory.close();
      feed.close();
      polls.close();
      giveUp.abort();
      desk.close();
      await alarms.close();
      await flushed.flushNow();
      flushed.close();
      // Refresh tokens rotate: the next owner must find the ones that are good.
      await parts.sessions.settled(accountId);
      await memory.keep();
      watch.close();
      viewers.close();
      streams.detach();
      await parts.store.release(accountId, store.fence);
    },
  };
}
