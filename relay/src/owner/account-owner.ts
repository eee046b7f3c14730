import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { ClockSuspicion } from "../core/clock-suspicion.ts";
import type { PollIntervals } from "../core/poll-pacing.ts";
import type { CapabilitySource, CreateValveDesk, Log, Metrics, Timers, TokenProver } from "../ports.ts";
import type { Hearing } from "../sources/hearing.ts";
import type { Store } from "../store/store.ts";
import { createAccountApi } from "../upstream/account-api.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { createCredentials } from "../upstream/credentials.ts";
import type { Gate } from "../upstream/gate.ts";
import { jwtExpiry } from "../upstream/jwt-expiry.ts";
import type { RelaySessions } from "../upstream/relay-session.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import { createPastMoisture } from "../waterings/past-moisture.ts";
import { type AccountPolling, createAccountPolling } from "./account-polling.ts";
import { createDeviceIntake } from "./device-intake.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { createMessageIntake } from "./message-intake.ts";
import { createNotificationIntake } from "./notification-intake.ts";
import type { AccountOwner } from "./owner.ts";
import { createPresenceWatch } from "./presence-watch.ts";
import { createViewers } from "./viewers.ts";
import { createWriter } from "./writer.ts";

/** What every account's owner is given. */
export interface OwnerParts {
  readonly store: Store;
  readonly client: UpstreamClient;
  readonly gate: Gate;
  readonly prover: TokenProver;
  readonly capabilities: CapabilitySource;
  readonly sessions: RelaySessions;
  readonly upstreamClock: UpstreamClock;
  readonly createDesk: CreateValveDesk;
  /** The WATERFLOW sensor that an account has linked to a channel; left out: none is linked. */
  readonly flowSensorOf?: (accountId: string, channelId: string) => string | null;
  /** Told of every reading that comes in: whose it is, and its time (ms UTC). */
  readonly onReading?: (accountId: string, sensorId: string, at: number) => void;
  readonly hearing: Hearing;
  readonly suspicion: ClockSuspicion;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly intervals: PollIntervals;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly stretch: () => number;
}

/** ms between two times at which what was learned of devices is kept. */
const KEEP_MS = 600_000;
/** AUTH-1: ms that a token without an end of its own is lent for. */
const WITHOUT_EXPIRY_MS = 1_800_000;
/** ms over which what failed is asked again once the API answers. */
const RETRY_SPREAD_MS = 3_000;

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
  const streams = await parts.store.attach(accountId);
  // The state is read from the farm API anew: what was there before is of another epoch.
  await store.beginEpoch(new Map());
  const giveUp = new AbortController();
  const credentials = createCredentials({ accountId, clock, sessions: parts.sessions });
  const writer = createWriter({
    store,
    streams,
    clock,
    timers,
    log,
    onFlushed: metrics.flushed,
    onLogged(event) {
      if (event.kind === "command") metrics.command(event.state);
    },
    onStale,
  });
  let polling: AccountPolling | undefined;
  let directory: Directory | undefined;
  let seenHeard = hearing.heard;

  const watch = createPresenceWatch({
    clock,
    timers,
    pollInterval: (key) => (hearing.heard ? null : (polling?.pollInterval(key) ?? null)),
    heardSince: hearing.heardSince,
    clockSuspect: () => parts.suspicion.suspectedOffset() !== null,
    ask: (key) => polling?.ask(key),
    onChange: (change) => intake.presence(change),
  });
  watch.restore(await store.presence());
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
    flowSensorOf: (channelId) => parts.flowSensorOf?.(accountId, channelId) ?? null,
    pastMoisture: createPastMoisture({ api, writer, zone }),
    clock,
    timers,
    log,
  });
  const intake = createDeviceIntake({
    writer,
    watch,
    desk,
    clock,
    onReading: (sensorId, at) => parts.onReading?.(accountId, sensorId, at),
    channelsOf: (key) => directory?.channelsOf(key) ?? [],
    deviceOf: (key) => directory?.channels.get(key)?.deviceKey,
  });
  directory = createDirectory({
    writer,
    watch,
    onGone(key) {
      intake.forget(key);
      polling?.forget(key);
    },
    onChanged: () => polling?.follow(),
  });
  const paceChanged = (): void => {
    polling?.units.reschedule();
    watch.review();
  };
  const viewers = createViewers(paceChanged);
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
    watches: (key) => (key === undefined ? viewers.count > 0 : viewers.watches(key)),
    heard: () => hearing.heard,
    claim: store.claimUnit,
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

  const keep = async (): Promise<void> => {
    try {
      await store.keepPresence(watch.takeUnkept());
    } catch (error) {
      log.warn({ err: error }, "what was learned of devices could not be kept");
    }
  };
  const keepRegularly = (): void => {
    void keep();
    keeping = timers.after(KEEP_MS, keepRegularly);
  };
  let keeping = timers.after(KEEP_MS, keepRegularly);

  let loading: Promise<void> | undefined;
  let isLoaded = false;
  const load = async (): Promise<void> => {
    await polls.load();
    polls.follow();
    await writer.flushNow();
    isLoaded = true;
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
    if (lacked) polls.units.retryFailed(0);
  };

  return {
    accountId,
    desk,
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
    view() {
      const viewer = viewers.add();
      return {
        devices: streams.devices,
        events: streams.events,
        renew: lend,
        track: (keys) => viewer.track(keys && new Set([...keys].slice(0, LIVE_LIMITS.trackedKeys))),
        release: viewer.remove,
      };
    },
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
      keeping.cancel();
      polls.close();
      giveUp.abort();
      desk.close();
      await writer.flushNow();
      writer.close();
      await keep();
      watch.close();
      await parts.store.release(accountId, store.fence);
    },
  };
}
