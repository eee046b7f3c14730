// Long because everything of the fleet meets here: the list, the accounts' owners, silence, and the stream.

import type { FleetListValue } from "@mulkko/shared/live/fleet";
import { FLEET_LIST_KEY, fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import type { Beats as BeatsAnswer } from "@mulkko/shared/rest/fleet";
import { BEAT_SLOT_MS, BEAT_SLOTS, beatSlot } from "@mulkko/shared/rest/fleet";
import { parseJson } from "@mulkko/shared/schema/parse";
import { createBeats } from "../core/beats.ts";
import { readingValues } from "../core/normalise-reading.ts";
import { HEARD_FACTOR } from "../core/poll-pacing.ts";
import { createDeviceMemory } from "../owner/device-memory.ts";
import type { HeardMessage } from "../owner/owner.ts";
import type { OwnerParts } from "../owner/owner-parts.ts";
import { createPresenceWatch } from "../owner/presence-watch.ts";
import { createViewers, type Interest } from "../owner/viewers.ts";
import { createWriter } from "../owner/writer.ts";
import { createPollUnits } from "../sources/poll-units.ts";
import { createCredentials } from "../upstream/credentials.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { jwtExpiry } from "../upstream/jwt-expiry.ts";
import { createPolledReader } from "../upstream/polled-reader.ts";
import type { FleetBatch, FleetVerdict } from "./account-report.ts";
import { createFleetBook } from "./fleet-book.ts";
import { FLEET } from "./fleet-id.ts";
import { FLEET_LIST, fleetLatestUnit, fleetListUnit, latestUnitName } from "./fleet-units.ts";
import { keptFleet } from "./kept-fleet.ts";
import type { ListedDevice, Sign } from "./listed-device.ts";

export interface FleetOwnerParts
  extends Omit<OwnerParts, "createDesk" | "sessions" | "upstreamClock" | "onReading" | "fleet"> {
  /** Other nodes' batches are missed by the name of their node. */
  readonly node: string;
  /** Something of these accounts is otherwise than before: their lists come due (POLL-8). */
  readonly onTouched: (accountId: string) => void;
  /** Somebody looks, or nobody any more. */
  readonly onVerdict: () => void;
}

/** The owner of the `fleet` stream: lists, listens, times, and takes what accounts' owners say (NODE-5). */
export interface FleetOwner {
  lend(token: string): void;
  interest(node: string, interest: Interest | null, forMs?: number): void;
  /** Resolves when the first state is there; rejects with an `UpstreamError` if the fleet cannot be read. */
  load(): Promise<void>;
  readonly loaded: boolean;
  readonly verdict: FleetVerdict;
  take(batch: FleetBatch): void;
  hear(message: HeardMessage): void;
  /** An administrator has written something (POLL-8). */
  touched(): void;
  /** @param ids what follows `device:` in keys */
  beats(ids: readonly string[]): BeatsAnswer;
  /** The API answers again, or intervals are others now. */
  reachable(): void;
  paceChanged(): void;
  readonly viewers: number;
  close(): Promise<void>;
}

/** ms between two looks for commands that are shown no more. */
const PRUNE_MS = 600_000;
/** ms after which a node that says nothing tells of nobody any more; it says something every 2 s. */
const NODE_SILENT_MS = 15_000;
/** AUTH-1: ms that a token without an end of its own is lent for. */
const WITHOUT_EXPIRY_MS = 1_800_000;
/** ms, or intervals of the list, after which an unread list has missed what came and went. */
const LISTED_WITHIN_MS = 15 * 60_000;
const LISTS_MISSED = 3;
/** ms over which what failed is asked again once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The relay has no session of its own for administration: it is read while an administrator looks. */
const NO_SESSION = { mayServe: () => false, token: async () => null, forget: () => undefined };

const text = new TextDecoder();

/** @param onStale told when somebody else has claimed the fleet */
export async function createFleetOwner(parts: FleetOwnerParts, onStale: () => void): Promise<FleetOwner> {
  const { clock, timers, log, metrics, intervals, hearing, zone } = parts;
  const store = await parts.store.claim(FLEET);
  const streams = await parts.store.attach(FLEET);
  const claims = new Map((await store.claims()).map(({ unit, at }) => [unit, at]));
  const listedAt = claims.get(FLEET_LIST) ?? Number.NEGATIVE_INFINITY;
  const kept = keptFleet(streams.devices, parts.store.now() - listedAt);
  if (kept === null) await store.beginEpoch(new Map());
  const term = `${parts.node}:${store.fence}`;
  const giveUp = new AbortController();
  const credentials = createCredentials({ accountId: FLEET, clock, sessions: NO_SESSION });
  const reader = createPolledReader({ ...parts, credentials, signal: giveUp.signal });
  const writer = createWriter({
    store,
    streams,
    stream: "fleet",
    kept: kept?.values ?? new Map(),
    clock,
    timers,
    log,
    onFlushed: metrics.flushed,
    onTrouble: metrics.ownerTrouble,
    onLogged: () => undefined,
    onStale,
  });
  const beats = createBeats(clock.now);
  /** Something was written while nobody looked. */
  let isStale = false;
  const viewers = createViewers(timers, () => {
    // What owners say is not heard on: whoever looks next is told everything anew.
    if (viewers.count === 0) for (const node of book.nodes()) book.nodeGone(node);
    else if (isStale) touched();
    units.reschedule();
    parts.onVerdict();
  });
  const touched = (): void => {
    isStale = viewers.count === 0;
    if (!isStale) units.due(FLEET_LIST, 0);
  };
  const interval = (): number | null => {
    if (viewers.count === 0) return null;
    const { watched, unwatched } = intervals.fleet;
    return (viewers.watches() ? watched : unwatched) * (hearing.heard ? HEARD_FACTOR : 1);
  };
  const watch = createPresenceWatch({
    clock,
    timers,
    pollInterval: () => (hearing.heard ? null : intervals.fleet.watched * parts.stretch()),
    heardSince: hearing.heardSince,
    clockSuspect: () => parts.suspicion.suspectedOffset() !== null,
    doubts: parts.doubts,
    ask() {
      if (viewers.count > 0) units.due(FLEET_LIST, 0);
    },
    onChange({ key, quality, flip }) {
      const at = new Date(clock.now()).toISOString();
      const last = flip?.last == null ? null : new Date(flip.last).toISOString();
      book.judged(key, quality, flip && { at, online: flip.online, last });
    },
  });
  const book = createFleetBook({
    writer,
    now: clock.now,
    onTeller(key, told, shown) {
      if (told) {
        watch.forget(key);
        units.remove(latestUnitName(key));
      } else watch.watch(key, shown.heardAt === null ? undefined : shown);
    },
    onGone(key) {
      watch.forget(key);
      beats.forget(key);
      units.remove(latestUnitName(key));
    },
  });
  const heardFrom = new Map<string, number>();
  let listed = kept !== null;
  let { knownSince = null, ...keptList } = kept?.list ?? {};
  let listedLast = kept === null ? null : clock.now() - (parts.store.now() - listedAt);
  const keysSoFar = new Set<string>();
  writer.set(FLEET_LIST_KEY, { loaded: 0, total: null, ...keptList, knownSince });
  const showList = (loaded: number, total: number): void => {
    const value: FleetListValue = { loaded, total, knownSince };
    writer.set(FLEET_LIST_KEY, { ...value });
  };
  /** A list that was not read for long has missed what came and went in between. */
  const noteListed = (): void => {
    const now = clock.now();
    const gap = Math.max(LISTED_WITHIN_MS, LISTS_MISSED * (interval() ?? 0));
    if (parts.capabilities.has("fleet-presence")) knownSince = null;
    else if (knownSince === null || listedLast === null || now - listedLast > gap) {
      knownSince = new Date(now).toISOString();
    }
    listedLast = now;
  };

  /** The list or the broker says when a device was heard last. */
  const signed = (key: string, sign: Sign | null, how: "list" | "message"): void => {
    if (sign) beats.heard(key, sign.heardAt);
    if (book.isTold(key)) return;
    // One that is seen first, and silent for long, was not late a moment ago.
    if (how === "list" && watch.quality(key) === null) watch.answered(key);
    if (sign) {
      book.heard(key, sign);
      watch.heard(key, { heardAt: sign.heardAt, regular: true });
    }
    if (how === "list") watch.answered(key);
  };
  const latestInterval = (): number | null => {
    if (viewers.count === 0) return null;
    return viewers.watches() ? intervals.latest.withoutList : intervals.fleet.unwatchedLatest;
  };
  const askLatest = (device: ListedDevice): void => {
    const name = latestUnitName(device.key);
    if (device.sign !== undefined || device.kind !== "sensor" || book.isTold(device.key) || units.has(name))
      return;
    const unit = fleetLatestUnit(device, {
      reader,
      zone,
      interval: latestInterval,
      onSign: (sign) => signed(device.key, sign, "list"),
    });
    units.add(unit, "spread");
  };
  const touch = (accounts: ReadonlySet<string>): void => {
    // The first list says nothing of what has changed.
    if (listed) for (const accountId of accounts) parts.onTouched(accountId);
  };
  const units = createPollUnits({
    ...parts,
    claim: store.claimUnit,
    claimedAgo(unit) {
      const at = kept === null ? undefined : claims.get(unit);
      return at === undefined ? undefined : Math.max(0, parts.store.now() - at);
    },
  });
  const list = fleetListUnit({
    reader,
    capabilities: parts.capabilities,
    zone,
    interval,
    onRows(rows, total) {
      touch(book.list(rows));
      if (!listed) {
        for (const { key } of rows) keysSoFar.add(key);
        showList(keysSoFar.size, total);
      }
      for (const row of rows) {
        if (row.beats) beats.merge(row.key, row.beats);
        if (row.sign === undefined) askLatest(row);
        else signed(row.key, row.sign, "list");
      }
    },
    onListed(keys) {
      touch(book.listed(keys));
      listed = true;
      keysSoFar.clear();
      noteListed();
      showList(keys.size, keys.size);
    },
    onFailed(error) {
      const refused = error instanceof NoAccessError;
      for (const key of book.untoldKeys()) refused ? watch.cannotTell(key) : watch.failed(key);
    },
  });

  const isTellable = (key: string): boolean =>
    key.startsWith("device:") && writer.get(key)?.quality !== "unknown";
  const memory = createDeviceMemory({
    ...{ store, watch, beats, timers, log },
    looked: () => [...writer.keys()].filter(isTellable),
  });
  const prune = (): void => {
    book.prune();
    pruning = timers.after(PRUNE_MS, prune);
  };
  let pruning = timers.after(PRUNE_MS, prune);
  const missNodes = (): void => {
    const now = clock.monotonic();
    for (const node of book.nodes()) {
      if (node === parts.node || now - (heardFrom.get(node) ?? now) < NODE_SILENT_MS) continue;
      log.info({ node }, "a node tells the fleet nothing any more");
      heardFrom.delete(node);
      book.nodeGone(node);
    }
    missing = timers.after(NODE_SILENT_MS / 3, missNodes);
  };
  let missing = timers.after(NODE_SILENT_MS / 3, missNodes);

  await memory.restore();
  if (kept) book.resume(kept.devices);
  let loading: Promise<void> | undefined = kept ? Promise.resolve() : undefined;
  let isLoaded = kept !== null;
  units.add(list, "spread");
  const load = async (): Promise<void> => {
    await units.askNow(FLEET_LIST);
    memory.look();
    await writer.flushNow();
    isLoaded = true;
  };

  return {
    lend(token) {
      const lacked = !credentials.any;
      credentials.lend(token, jwtExpiry(token) ?? clock.now() + WITHOUT_EXPIRY_MS);
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
    take({ node, reports, over }) {
      heardFrom.set(node, clock.monotonic());
      for (const report of reports) {
        book.told(node, report);
        for (const device of report.devices) {
          const key = fleetDeviceKey(device.kind, device.id);
          if (device.beats) beats.merge(key, device.beats);
          if (device.heardAt !== null) beats.heard(key, Date.parse(device.heardAt));
          if (device.quality !== "unknown") beats.looked(key);
        }
      }
      for (const account of over) book.untold(node, account);
    },
    hear({ topic, payload, arrivedAt }) {
      if (topic.kind === "sensor") {
        const key = fleetDeviceKey("sensor", topic.id);
        const device = book.device(key);
        if (!device || book.isTold(key)) return;
        const reading = parseJson(OutReading, text.decode(payload));
        if (!reading.ok) return;
        const { battery, rssi, fwversion } = readingValues(device.deviceType ?? "", reading.value);
        // A reading of last week says when it was heard then.
        const heardAt = Math.min(Date.parse(reading.value.receivedAt), Date.parse(reading.value.at));
        signed(key, { heardAt, ...signFields(battery, rssi, fwversion) }, "message");
      } else if (topic.kind === "channel") {
        const state = parseJson(OutChannel, text.decode(payload));
        const key = state.ok && state.value.serial != null ? book.keyOfSerial(state.value.serial) : undefined;
        if (!state.ok || key === undefined || book.isTold(key)) return;
        const { rssi, fwversion, heardAt } = state.value;
        const at = heardAt === null ? arrivedAt : Date.parse(heardAt);
        signed(key, { heardAt: at, ...signFields(null, rssi, fwversion) }, "message");
      }
    },
    touched,
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
      units.reschedule();
      watch.review();
    },
    get viewers() {
      return viewers.count;
    },
    async close() {
      memory.close();
      pruning.cancel();
      missing.cancel();
      units.close();
      giveUp.abort();
      memory.look();
      await writer.flushNow();
      writer.close();
      await memory.keep();
      watch.close();
      viewers.close();
      streams.detach();
      await parts.store.release(FLEET, store.fence);
    },
  };
}

function signFields(battery: unknown, rssi: unknown, fwversion: unknown): Omit<Sign, "heardAt"> {
  return {
    battery: typeof battery === "number" ? battery : null,
    rssi: typeof rssi === "number" ? rssi : null,
    fwversion: fwversion === null || fwversion === undefined ? null : String(fwversion),
  };
}
