import { FleetDeviceValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { OutChanged, OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import {
  BEAT_SLOT_MS,
  BEAT_SLOTS,
  type ActivityHistory as BeatsAnswer,
  beatSlot,
} from "@mulkko/shared/rest/fleet";
import { contactTime } from "@mulkko/shared/rules/presence";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { AccountUpstream } from "../access/account-upstream.ts";
import { createCredentials } from "../access/credentials.ts";
import { createPolledReader } from "../access/polled-reader.ts";
import { tokenEnd } from "../access/token-end.ts";
import { createActivityHistory } from "../account/activity-history.ts";
import { createDeviceMemory, writeAccount } from "../account/device-memory.ts";
import { parsePayload, type ReceivedMessage } from "../account/mqtt.ts";
import { readingValues } from "../account/normalise-reading.ts";
import { createEmptyLists, EMPTY_AGAIN_MS } from "../account/polling/empty-lists.ts";
import { CHANGED_GAP_MS, type Polling, RECEIVED_FACTOR } from "../account/polling/poll-pacing.ts";
import { loadPollClaims, PollUnits } from "../account/polling/poll-units.ts";
import { PresenceWatch } from "../account/presence-watch.ts";
import { createViewers, type Interest } from "../account/viewers.ts";
import { createWriter } from "../account/writer.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { FLEET } from "../store/shard.ts";
import type { Store } from "../store/store.ts";
import { type DeviceStream, type StateValue, stateOf } from "../store/streams.ts";
import { NoAccessError, UpstreamStatusError } from "../upstream/errors.ts";
import { apiClockOf } from "../upstream/upstream-clock.ts";
import { FleetIndex } from "./fleet-index.ts";
import { createFleetList, type LastSeen, type ListedDevice } from "./fleet-list.ts";
import { type FleetBatch, type FleetVerdict, wireFlip } from "./reports.ts";
import type { WatchStates } from "./watch-roster.ts";

/**
 * The newest log of each device that was requested one by one, or null for a device without one, and the time
 * of the request (ms UTC).
 */
export type LearnedLastSeen = Map<string, { readonly lastSeen: LastSeen | null; readonly at: number }>;

export interface FleetOwnerDeps {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly upstream: Omit<AccountUpstream, "sessions">;
  readonly polling: Polling;
  /** If and why the relay watches accounts with valves, as far as it is known on this node. */
  readonly roster: WatchStates;
}

/** The fleet owner's reports to this node. */
export interface FleetOwnerEvents {
  /** Another node has claimed the fleet. */
  readonly onStale: () => void;
  /** The first viewer has arrived, or the last one has left. */
  readonly onVerdict: () => void;
  /** The devices of an account have changed: its lists become due (POLL-8). */
  readonly onAccountChanged: (accountId: string) => void;
}

/**
 * The owner of the `fleet` stream. It reads lists and messages, times silence, and applies the reports of
 * accounts' owners (NODE-5).
 */
export interface FleetOwner {
  lend(token: string): void;
  interest(node: string, interest: Interest | null, forMs?: number): void;
  /** Resolve when the first state is there; reject with an `UpstreamError` if the fleet cannot be read. */
  load(): Promise<void>;
  readonly loaded: boolean;
  readonly verdict: FleetVerdict;
  handleBatch(batch: FleetBatch): void;
  handleMessage(message: ReceivedMessage): void;
  /** Note a write by an administrator (POLL-8). */
  noteWrite(): void;
  /**
   * Return the activity of devices.
   * @param ids the part of their keys after `device:`
   */
  beats(ids: readonly string[]): BeatsAnswer;
  /** Retry failed requests once the API is reachable again. */
  reachable(): void;
  paceChanged(): void;
  readonly viewers: number;
  close(): Promise<void>;
}

/** ms between two removals of outdated commands. */
const PRUNE_MS = 600_000;
/** ms of silence after which a node's reports no longer count. A node sends a batch every 2 s. */
const NODE_SILENT_MS = 15_000;
/** ms, or list intervals, without a list after which changes of devices were missed. */
const LISTED_WITHIN_MS = 15 * 60_000;
const LISTS_MISSED = 3;
/** ms per device over which the first requests are spread, and the least in total. */
const FIRST_ASK = { each: 200, least: 20_000 } as const;
/** ms over which failed requests are retried once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The relay has no administrator's session of its own: the fleet is read while an administrator watches. */
const NO_SESSION = { mayServe: () => false, token: async () => null, forget: () => undefined };

/** The sums before the list of devices is read. */
const NOT_KNOWN = {
  urgent: null,
  openValves: null,
  openBeyondEnd: null,
  unknownValves: null,
  unwatched: null,
  leftOff: 0,
} as const;

/** Things that the list of the fleet names. */
const LISTED: ReadonlySet<OutChanged["entity"]> = new Set(["sensor", "controller", "farm", "account"]);

/** Name of the unit that lists the fleet. */
const FLEET_LIST = "fleet";
const latestUnit = (key: string): string => `latest:${key}`;

/**
 * Claim the fleet and create its owner.
 * @param learned is kept by the caller between owners on this node
 */
export async function createFleetOwner(
  deps: FleetOwnerDeps,
  learned: LearnedLastSeen,
  { onStale, onVerdict, onAccountChanged }: FleetOwnerEvents,
): Promise<FleetOwner> {
  const { clock, timers, random, log, metrics } = deps.runtime;
  const { capabilities, reception } = deps.upstream;
  const { limiter, intervals } = deps.polling;
  const { id: node } = deps.store.node;
  const store = await deps.store.claim(FLEET);
  const streams = await deps.store.attach(FLEET);
  const claims = await loadPollClaims(store, deps.store.now);
  const listedAgo = claims.ago(FLEET_LIST) ?? Number.POSITIVE_INFINITY;
  const stored = storedFleet(streams.devices, listedAgo);
  if (stored === null) {
    claims.forget();
    await store.beginEpoch(new Map());
  }
  const term = `${node}:${store.fence}`;
  const aborter = new AbortController();
  const credentials = createCredentials({ accountId: FLEET, clock, sessions: NO_SESSION });
  const { client, prover } = deps.upstream;
  const reader = createPolledReader({ client, limiter, credentials, prover, signal: aborter.signal });
  const list = createFleetList({
    reader,
    apiClock: apiClockOf(deps.upstream.clock, clock),
    unit: FLEET_LIST,
    hasPages: () => capabilities.has("admin-fleet"),
    heardAt(key) {
      const heardAt = parse(Instant, writer.get(key)?.heardAt);
      return heardAt.ok ? Date.parse(heardAt.value) : null;
    },
  });
  const observer = { flushed: metrics.flushed, trouble: metrics.ownerTrouble, stale: onStale };
  const writer = createWriter(
    { store, streams, stored: stored?.values ?? new Map(), clock, timers, log, observer },
    "fleet",
  );
  const beats = createActivityHistory(clock.now);
  /** True after a write without a viewer. */
  let isStale = false;
  const viewers = createViewers(timers, () => {
    // Without viewers owners' reports are ignored. The next viewer gets complete reports.
    if (viewers.count === 0) for (const one of registry.nodes()) registry.releaseNode(one);
    else if (isStale) noteWrite();
    units.reschedule();
    onVerdict();
  });
  const empty = createEmptyLists(clock);
  const noteWrite = (): void => {
    empty.wrote(FLEET_LIST);
    isStale = viewers.count === 0;
    if (!isStale) units.due(FLEET_LIST, 0);
  };
  /** Note a write that the API reports: many can follow each other, from a program. */
  const noteReported = (): void => {
    empty.wrote(FLEET_LIST);
    isStale = viewers.count === 0;
    if (!isStale) units.dueAfter(FLEET_LIST, CHANGED_GAP_MS);
  };
  const interval = (): number | null => {
    if (viewers.count === 0) return null;
    const { watched, unwatched } = intervals.fleet;
    return (viewers.watches() ? watched : unwatched) * (reception.mqtt ? RECEIVED_FACTOR : 1);
  };
  const watch = new PresenceWatch({
    clock,
    timers,
    link: deps.upstream.link,
    reception,
    pollInterval: () => (reception.mqtt ? null : intervals.fleet.watched),
    onSourceBack: () => undefined,
    onDue() {
      if (viewers.count > 0) units.due(FLEET_LIST, 0);
    },
    onChange: ({ key, quality, lastFlip }) => registry.recordQuality(key, quality, wireFlip(lastFlip)),
  });
  const registry = new FleetIndex({
    writer,
    now: clock.now,
    watching: deps.roster,
    namesControllers: () => capabilities.has("admin-fleet"),
    onSums: () => showList(),
    onOwned(key) {
      watch.forget(key);
      leaveOut(key);
    },
    onUnowned: (key, shown) => watch.watch(key, shown),
    onGone(key) {
      watch.forget(key);
      beats.forget(key);
      leaveOut(key);
    },
  });
  const batchSeenAt = new Map<string, number>();
  let listed = stored !== null;
  /** True once the registry has the stored state: before that its sums are those of no account. */
  let isResumed = stored === null;
  let isFirstList = true;
  let { knownSince = null, asked: _asked, ...storedList } = stored?.list ?? {};
  let listedLast = stored === null ? null : clock.now() - listedAgo;
  /** Devices that are requested one by one, and those without an answer yet. */
  const askedEach = new Set<string>();
  const unasked = new Set<string>();
  let shownList: Pick<FleetListValue, "loaded" | "total"> = { loaded: 0, total: null, ...storedList };
  const showList = (): void => {
    const { withheld } = reception;
    const value: FleetListValue = {
      ...shownList,
      knownSince,
      ...(listed && isResumed ? registry.sums : NOT_KNOWN),
      ...(withheld && {
        withheld: {
          since: new Date(withheld.since).toISOString(),
          until: withheld.until === null ? null : new Date(withheld.until).toISOString(),
        },
      }),
    };
    const asked = { answered: askedEach.size - unasked.size, of: askedEach.size };
    writer.set(FLEET_LIST_KEY, asked.of === 0 ? { ...value } : { ...value, asked });
  };
  showList();
  const noteAnswered = (key: string): void => {
    if (unasked.delete(key)) showList();
  };
  const leaveOut = (key: string): void => {
    units.remove(latestUnit(key));
    unasked.delete(key);
    if (askedEach.delete(key)) showList();
  };
  /** Record the time of a complete list. A list that was not read for long has missed changes in between. */
  const noteListed = (): void => {
    const now = clock.now();
    const gap = Math.max(LISTED_WITHIN_MS, LISTS_MISSED * (interval() ?? 0));
    if (capabilities.has("fleet-presence")) knownSince = null;
    else if (knownSince === null || listedLast === null || now - listedLast > gap) {
      knownSince = new Date(now).toISOString();
    }
    listedLast = now;
  };

  /** Record the last report of a device, from the list or the broker. */
  const recordLastSeen = (key: string, lastSeen: LastSeen | null, how: "list" | "message"): void => {
    if (lastSeen) beats.record(key, lastSeen.heardAt);
    if (registry.isOwned(key)) return;
    if (how === "list" && lastSeen === null) watch.silentSoFar(key);
    // A device seen for the first time after a long silence was not late a moment ago.
    else if (how === "list" && (watch.quality(key) === null || unasked.has(key))) watch.answered(key);
    noteAnswered(key);
    if (lastSeen) {
      registry.recordLastSeen(key, lastSeen);
      const { heardAt, measuredAt = null } = lastSeen;
      watch.reported(key, { heardAt, regular: true, measuredAt });
    }
    if (how === "list") watch.answered(key);
  };
  const latestInterval = (): number | null => {
    if (viewers.count === 0) return null;
    return viewers.watches() ? intervals.latest.withoutList : intervals.fleet.unwatchedLatest;
  };
  const askLatest = ({ key, id, kind, lastSeen: inList }: ListedDevice): void => {
    const name = latestUnit(key);
    if (inList !== undefined || kind !== "sensor" || registry.isOwned(key) || units.has(name)) return;
    units.add(
      {
        name,
        interval: latestInterval,
        stretches: () => true,
        urgent: () => false,
        async ask(asking) {
          const lastSeen = await list.latest(id, asking);
          learned.set(key, { lastSeen, at: clock.now() });
          recordLastSeen(key, lastSeen, "list");
        },
        failed(error) {
          // The API refuses this device for good, whose quality stays unknown.
          if (error instanceof UpstreamStatusError && !error.isAccess && !error.temporary) noteAnswered(key);
        },
      },
      "spread",
    );
    askedEach.add(key);
    recall(key);
  };
  /** Start from a device's earlier answer. Without one its quality is unknown until it is requested. */
  const recall = (key: string): void => {
    if (watch.quality(key) !== null) return;
    const known = learned.get(key);
    if (known?.lastSeen) registry.recordLastSeen(key, known.lastSeen);
    if (known && clock.now() - known.at <= KEPT_WITHIN_MS) {
      if (known.lastSeen) watch.reported(key, { heardAt: known.lastSeen.heardAt, regular: false });
      return;
    }
    watch.cannotTell(key);
    unasked.add(key);
  };
  /** Request devices without an answer sooner than their interval. */
  const askUnasked = (): void => {
    const within = Math.max(FIRST_ASK.least, FIRST_ASK.each * unasked.size);
    for (const key of unasked) units.dueWithin(latestUnit(key), within);
  };
  const notifyAccounts = (accounts: ReadonlySet<string>): void => {
    // The first list shows no changes.
    if (listed) for (const accountId of accounts) onAccountChanged(accountId);
  };
  const units = new PollUnits({
    clock,
    timers,
    random,
    log,
    stretch: () => 1,
    claims,
  });
  const readList = async (asking: { urgent: boolean }): Promise<void> => {
    const keys = await list.read(asking, (rows, progress) => {
      notifyAccounts(registry.list(rows));
      if (!listed) shownList = progress;
      for (const row of rows) {
        if (row.beats) beats.merge(row.key, row.beats);
        if (row.lastSeen === undefined) askLatest(row);
        else recordLastSeen(row.key, row.lastSeen, "list");
      }
      showList();
    });
    if (!empty.isBelieved(FLEET_LIST, keys.size, registry.size > 0)) {
      units.due(FLEET_LIST, EMPTY_AGAIN_MS);
      return;
    }
    notifyAccounts(registry.listed(keys));
    for (const key of learned.keys()) if (!keys.has(key)) learned.delete(key);
    if (isFirstList) askUnasked();
    isFirstList = false;
    listed = true;
    noteListed();
    shownList = { loaded: keys.size, total: keys.size };
    showList();
  };

  const isTellable = (key: string): boolean =>
    key.startsWith("device:") && writer.get(key)?.quality !== "unknown";
  const documents = writeAccount(store.documents, timers, log);
  const memory = createDeviceMemory({
    ...{ store: store.documents, writer: documents, watch, beats, timers },
    watchedDevices: () => [...writer.keys()].filter(isTellable),
  });
  const pruning = repeat(timers, PRUNE_MS, () => registry.prune());
  const missing = repeat(timers, NODE_SILENT_MS / 3, () => {
    const now = clock.monotonic();
    for (const one of registry.nodes()) {
      if (one === node || now - (batchSeenAt.get(one) ?? now) < NODE_SILENT_MS) continue;
      log.info({ event: "fleet-node-silent", node: one }, "node stopped reporting to fleet");
      batchSeenAt.delete(one);
      registry.releaseNode(one);
    }
  });

  await memory.restore();
  const stopWatching = deps.roster.listen((accountId) => registry.watchChanged(accountId));
  if (stored) registry.resume(stored.devices, stored.values);
  isResumed = true;
  showList();
  let loading: Promise<void> | undefined = stored ? Promise.resolve() : undefined;
  let isLoaded = stored !== null;
  units.add(
    {
      name: FLEET_LIST,
      interval,
      stretches: () => true,
      urgent: () => false,
      ask: readList,
      failed(error) {
        const refused = error instanceof NoAccessError;
        for (const key of registry.unownedKeys()) refused ? watch.cannotTell(key) : watch.failed(key);
      },
    },
    "spread",
  );
  const load = async (): Promise<void> => {
    await units.askNow(FLEET_LIST);
    memory.markWatched();
    await writer.flushNow();
    isLoaded = true;
  };

  return {
    lend(token) {
      const lacked = !credentials.any;
      credentials.lend(token, tokenEnd(token, clock, deps.upstream.clock));
      if (lacked) units.retryFailed(0);
    },
    interest: viewers.set,
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
    get verdict() {
      return { term, wanted: viewers.count > 0 };
    },
    handleBatch({ node: from, reports, over }) {
      batchSeenAt.set(from, clock.monotonic());
      for (const report of reports) {
        registry.applyReport(from, report);
        for (const device of report.devices) {
          const key = fleetDeviceKey(device.kind, device.id);
          if (device.beats) beats.merge(key, device.beats);
          if (device.heardAt !== null) beats.record(key, Date.parse(device.heardAt));
          if (device.quality !== "unknown") beats.markWatched(key);
        }
      }
      for (const account of over) registry.releaseAccount(from, account);
    },
    handleMessage(message) {
      const { topic } = message;
      if (topic.kind === "changed") {
        const changed = parsePayload(OutChanged, message);
        if (changed.ok && LISTED.has(changed.value.entity)) noteReported();
        return;
      }
      if (topic.kind === "sensor") {
        const key = fleetDeviceKey("sensor", topic.id);
        if (!registry.has(key) || registry.isOwned(key)) return;
        const reading = parsePayload(OutReading, message);
        if (!reading.ok) return;
        const { battery, rssi, fwversion } = readingValues(reading.value);
        const measuredAt = Date.parse(reading.value.at);
        const heardAt = contactTime({ at: measuredAt, heardAt: Date.parse(reading.value.receivedAt) });
        const values = lastSeenFields(battery, rssi, fwversion);
        recordLastSeen(key, { heardAt, measuredAt, ...values }, "message");
      } else if (topic.kind === "channel") {
        const state = parsePayload(OutChannel, message);
        const key =
          state.ok && state.value.serial != null ? registry.keyOfSerial(state.value.serial) : undefined;
        if (!state.ok || key === undefined || registry.isOwned(key)) return;
        const { rssi, fwversion, heardAt, link } = state.value;
        if (link) registry.recordLink(key, link);
        // A retained state without a time is no contact (ORD-4).
        if (heardAt === null) return;
        recordLastSeen(
          key,
          { heardAt: Date.parse(heardAt), ...lastSeenFields(null, rssi, fwversion) },
          "message",
        );
      }
    },
    noteWrite,
    beats(ids) {
      const from = (beatSlot(clock.now()) - BEAT_SLOTS + 1) * BEAT_SLOT_MS;
      const known = ids.map((id) => `device:${id}`).filter((key) => writer.get(key) !== undefined);
      return {
        from: new Date(from).toISOString(),
        slotMs: BEAT_SLOT_MS,
        beats: Object.fromEntries(known.map((key) => [key.slice("device:".length), beats.of(key).text])),
      };
    },
    reachable: () => units.retryFailed(RETRY_SPREAD_MS),
    paceChanged() {
      showList();
      units.reschedule();
      watch.review();
    },
    get viewers() {
      return viewers.count;
    },
    async close() {
      stopWatching();
      memory.close();
      pruning.cancel();
      missing.cancel();
      units.close();
      aborter.abort();
      memory.markWatched();
      await writer.flushNow();
      writer.close();
      await memory.save();
      documents.close();
      watch.close();
      viewers.close();
      streams.detach();
      await deps.store.release(FLEET, store.fence);
    },
  };
}

function lastSeenFields(
  battery: unknown,
  rssi: unknown,
  fwversion: unknown,
): Pick<LastSeen, "battery" | "rssi" | "fwversion"> {
  return {
    battery: typeof battery === "number" ? battery : null,
    rssi: typeof rssi === "number" ? rssi : null,
    fwversion: fwversion === null || fwversion === undefined ? null : String(fwversion),
  };
}

/** The fleet's state as the previous owner left it. */
interface StoredFleet {
  readonly values: ReadonlyMap<string, StateValue>;
  readonly devices: ReadonlyMap<string, FleetDeviceValue>;
  readonly list: FleetListValue | undefined;
}

/** ms since the last list after which the stored state is too old to continue from. */
const KEPT_WITHIN_MS = 600_000;

/**
 * Return the previous owner's state if it is recent and in a known format. Commands and sums are left out:
 * their accounts' owners report them again.
 * @param listedAgo ms since the fleet was listed
 */
function storedFleet(stream: DeviceStream, listedAgo: number): StoredFleet | null {
  if (listedAgo > KEPT_WITHIN_MS) return null;
  const state = stateOf(stream);
  const devices = new Map<string, FleetDeviceValue>();
  for (const [key, value] of Object.entries(state)) {
    if (!key.startsWith("device:")) continue;
    const device = parse(FleetDeviceValue, value);
    if (!device.ok) return null;
    devices.set(key, device.value);
  }
  if (devices.size === 0) return null;
  const list = parse(FleetListValue, state[FLEET_LIST_KEY]);
  return { values: new Map(Object.entries(state)), devices, list: list.ok ? list.value : undefined };
}
