import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Random } from "@mulkko/shared/rules/clock";
import type { ClockSuspicion } from "../core/clock-suspicion.ts";
import type { PollIntervals } from "../core/poll-pacing.ts";
import type { CapabilitySource, CreateValveDesk, Log, Metrics, Timers, TokenProver } from "../ports.ts";
import type { Hearing } from "../sources/hearing.ts";
import type { AccountStreams, Store } from "../store/store.ts";
import { createAccountApi } from "../upstream/account-api.ts";
import { createAccountCommands } from "../upstream/account-commands.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { createCredentials } from "../upstream/credentials.ts";
import type { Gate } from "../upstream/gate.ts";
import { jwtExpiry } from "../upstream/jwt-expiry.ts";
import type { RelaySessions } from "../upstream/relay-session.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import { type AccountPolling, createAccountPolling } from "./account-polling.ts";
import { createDeviceIntake } from "./device-intake.ts";
import { createDirectory, type Directory } from "./directory.ts";
import { type KeptAccount, keptAccountOf } from "./kept-account.ts";
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

/** The poll unit without which an account is not read at all. */
const FIRST_LIST = "sensors";
/** ms since an account's lists were asked after which what is kept of it is too old to go on from. */
const RESUMED_WITHIN_MS = 600_000;

/** What another owner left, if it is from just now. */
function takenOver(streams: AccountStreams, listsAskedAgo: number): KeptAccount | null {
  if (listsAskedAgo > RESUMED_WITHIN_MS) return null;
  const caught = streams.devices.changesSince(undefined);
  return caught.kind === "snapshot" ? keptAccountOf(caught.state) : null;
}

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
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  const kept = takenOver(streams, parts.store.now() - (claims.get(FIRST_LIST) ?? Number.NEGATIVE_INFINITY));
  // Read from the farm API anew: what was there before is of another epoch.
  if (kept === null) await store.beginEpoch(new Map());
  const giveUp = new AbortController();
  const credentials = createCredentials({ accountId, clock, sessions: parts.sessions });
  const writer = createWriter({
    store,
    streams,
    kept: kept?.values ?? new Map(),
    clock,
    timers,
    log,
    onFlushed: metrics.flushed,
    onTrouble: metrics.ownerTrouble,
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
    clock,
    timers,
    log,
  });
  const intake = createDeviceIntake({
    writer,
    watch,
    desk,
    clock,
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
  const viewers = createViewers(timers, paceChanged);
  const notifications = createNotificationIntake({ store, writer, zone, log });
  polling = createAccountPolling({
    ...parts,
    accountId,
    api: createAccountApi({ client, gate: parts.gate, credentials, prover, log, signal: giveUp.signal }),
    directory,
    intake,
    notifications,
    watch,
    writer,
    watches: (key) => (key === undefined ? viewers.count > 0 : viewers.watches(key)),
    heard: () => hearing.heard,
    claim: store.claimUnit,
    claimedAgo(unit) {
      const at = kept === null ? undefined : claims.get(unit);
      return at === undefined ? undefined : Math.max(0, parts.store.now() - at);
    },
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
      keeping.cancel();
      polls.close();
      giveUp.abort();
      desk.close();
      await writer.flushNow();
      writer.close();
      await keep();
      watch.close();
      viewers.close();
      streams.detach();
      await parts.store.release(accountId, store.fence);
    },
  };
}
