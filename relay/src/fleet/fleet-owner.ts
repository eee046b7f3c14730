import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { OutChanged, OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import {
  BEAT_SLOT_MS,
  BEAT_SLOTS,
  type ActivityHistory as BeatsAnswer,
  beatSlot,
} from "@mulkko/shared/rest/fleet";
import type { Timer } from "@mulkko/shared/rules/clock";
import { contactTime } from "@mulkko/shared/rules/presence";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import { repeat } from "@mulkko/shared/server/node-timers";
import type { AccountUpstream } from "../access/account-upstream.ts";
import { type Credentials, createCredentials } from "../access/credentials.ts";
import { createPolledReader } from "../access/polled-reader.ts";
import { tokenEnd } from "../access/token-end.ts";
import { type ActivityHistory, createActivityHistory } from "../account/activity-history.ts";
import { createDeviceMemory, type DeviceMemory, writeAccount } from "../account/device-memory.ts";
import { parsePayload, type ReceivedMessage } from "../account/mqtt.ts";
import { readingValues } from "../account/normalise-reading.ts";
import { createEmptyLists, EMPTY_AGAIN_MS, type EmptyLists } from "../account/polling/empty-lists.ts";
import { CHANGED_GAP_MS, type Polling, RECEIVED_FACTOR } from "../account/polling/poll-pacing.ts";
import { loadPollClaims, type PollClaims, PollUnits } from "../account/polling/poll-units.ts";
import { PresenceWatch } from "../account/presence-watch.ts";
import { createViewers, type Interest, type Viewers } from "../account/viewers.ts";
import { createWriter, type OwnedWriter } from "../account/writer.ts";
import { FirstRead } from "../runtime/first-read.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { DocumentChange } from "../store/collections.ts";
import { FLEET } from "../store/shard.ts";
import type { AccountStore, AccountStreams, Store } from "../store/store.ts";
import type { WriteBehind } from "../store/write-behind.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { apiClockOf } from "../upstream/upstream-clock.ts";
import { AskedDevices, type LearnedLastSeen } from "./asked-devices.ts";
import { FleetIndex } from "./fleet-index.ts";
import { createFleetList, type FleetList, type LastSeen } from "./fleet-list.ts";
import { ListEntry } from "./list-entry.ts";
import { type FleetBatch, type FleetVerdict, wireFlip } from "./reports.ts";
import { type StoredFleet, storedFleet } from "./stored-fleet.ts";
import type { WatchStates } from "./watch-roster.ts";

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

/** ms between two removals of outdated commands. */
const PRUNE_MS = 600_000;
/** ms of silence after which a node's reports no longer count. A node sends a batch every 2 s. */
const NODE_SILENT_MS = 15_000;
/** ms over which failed requests are retried once the API answers. */
const RETRY_SPREAD_MS = 3_000;

/** The relay has no administrator's session of its own: the fleet is read while an administrator watches. */
const NO_SESSION = { mayServe: () => false, token: async () => null, forget: () => undefined };

/** Things that the list of the fleet names. */
const LISTED: ReadonlySet<OutChanged["entity"]> = new Set(["sensor", "controller", "farm", "account"]);

/** Name of the unit that lists the fleet. */
const FLEET_LIST = "fleet";

/** The stored state and claims of the fleet, as its owner finds them. */
interface Claimed {
  readonly store: AccountStore;
  readonly streams: AccountStreams;
  readonly claims: PollClaims;
  readonly stored: StoredFleet | null;
  /** ms since the fleet was listed. */
  readonly listedAgo: number;
}

async function claimFleet({ store: stores }: FleetOwnerDeps): Promise<Claimed> {
  const store = await stores.claim(FLEET);
  const streams = await stores.attach(FLEET);
  const claims = await loadPollClaims(store, stores.now);
  const listedAgo = claims.ago(FLEET_LIST) ?? Number.POSITIVE_INFINITY;
  const stored = storedFleet(streams.devices, listedAgo);
  if (stored === null) {
    claims.forget();
    await store.beginEpoch(new Map());
  }
  return { store, streams, claims, stored, listedAgo };
}

/**
 * The owner of the `fleet` stream. It reads lists and messages, times silence, and applies the reports of
 * accounts' owners (NODE-5).
 *
 * ```
 *   claimed ──load──▶ reading ──list read──▶ read ──close──▶ closed
 *    │   ▲               │                    ▲
 *    │   └────failed─────┘                    │
 *    └───────stored state of 10 min───────────┘
 * ```
 *
 * | viewers | it | becomes |
 * |---|---|---|
 * | some | reads its lists, takes the nodes' reports | without: the reports of all nodes are let go |
 * | none | reads nothing, notes that a write has made its list old | some: an old list is read at once |
 */
export class FleetOwner {
  readonly #deps: FleetOwnerDeps;
  readonly #events: FleetOwnerEvents;
  readonly #store: AccountStore;
  readonly #streams: AccountStreams;
  readonly #term: string;
  readonly #aborter = new AbortController();
  readonly #credentials: Credentials;
  readonly #list: FleetList;
  readonly #writer: OwnedWriter;
  readonly #beats: ActivityHistory;
  readonly #viewers: Viewers;
  readonly #empty: EmptyLists;
  readonly #watch: PresenceWatch;
  readonly #index: FleetIndex;
  readonly #entry: ListEntry;
  readonly #units: PollUnits;
  readonly #asked: AskedDevices;
  readonly #documents: WriteBehind<DocumentChange>;
  readonly #memory: DeviceMemory;
  readonly #timers: readonly Timer[];
  readonly #firstRead = new FirstRead();
  #stopWatching: () => void = () => undefined;
  /** True after a write without a viewer. */
  #isStale = false;
  #isFirstList = true;
  /** When each node last sent its reports, monotonic ms. */
  readonly #batchSeenAt = new Map<string, number>();

  /**
   * Claim the fleet for this node, and restore what is stored of it.
   *
   * @param learned is kept by the caller between owners on this node
   */
  static async claim(
    deps: FleetOwnerDeps,
    learned: LearnedLastSeen,
    events: FleetOwnerEvents,
  ): Promise<FleetOwner> {
    const claimed = await claimFleet(deps);
    const owner = new FleetOwner(deps, learned, events, claimed);
    await owner.#restore(claimed.stored);
    return owner;
  }

  private constructor(
    deps: FleetOwnerDeps,
    learned: LearnedLastSeen,
    events: FleetOwnerEvents,
    { store, streams, claims, stored, listedAgo }: Claimed,
  ) {
    this.#deps = deps;
    this.#events = events;
    this.#store = store;
    this.#streams = streams;
    const { clock, timers, random, log, metrics } = deps.runtime;
    const { capabilities, client, link, prover, reception } = deps.upstream;
    const { limiter, intervals } = deps.polling;
    this.#term = `${deps.store.node.id}:${store.fence}`;
    this.#credentials = createCredentials({ accountId: FLEET, clock, sessions: NO_SESSION });
    const { signal } = this.#aborter;
    this.#list = createFleetList({
      reader: createPolledReader({ client, limiter, credentials: this.#credentials, prover, signal }),
      apiClock: apiClockOf(deps.upstream.clock, clock),
      unit: FLEET_LIST,
      hasPages: () => capabilities.has("admin-fleet"),
      heardAt: (key) => {
        const heardAt = parse(Instant, this.#writer.get(key)?.heardAt);
        return heardAt.ok ? Date.parse(heardAt.value) : null;
      },
    });
    const observer = { flushed: metrics.flushed, trouble: metrics.ownerTrouble, stale: events.onStale };
    this.#writer = createWriter(
      { store, streams, stored: stored?.values ?? new Map(), clock, timers, log, observer },
      "fleet",
    );
    this.#beats = createActivityHistory(clock.now);
    this.#viewers = createViewers(timers, () => this.#viewersChanged());
    this.#empty = createEmptyLists(clock);
    this.#watch = new PresenceWatch({
      clock,
      timers,
      link,
      reception,
      pollInterval: () => (reception.mqtt ? null : intervals.fleet.watched),
      onSourceBack: () => undefined,
      onDue: () => {
        if (this.viewers > 0) this.#units.due(FLEET_LIST, 0);
      },
      onChange: ({ key, quality, lastFlip }) => this.#index.recordQuality(key, quality, wireFlip(lastFlip)),
    });
    this.#index = new FleetIndex({
      writer: this.#writer,
      now: clock.now,
      watching: deps.roster,
      namesControllers: () => capabilities.has("admin-fleet"),
      onSums: () => this.#entry.show(),
      onOwned: (key) => {
        this.#watch.forget(key);
        this.#asked.leaveOut(key);
      },
      onUnowned: (key, shown) => this.#watch.watch(key, shown),
      onGone: (key) => {
        this.#watch.forget(key);
        this.#beats.forget(key);
        this.#asked.leaveOut(key);
      },
    });
    this.#units = new PollUnits({ clock, timers, random, log, stretch: () => 1, claims });
    this.#asked = new AskedDevices({
      learned,
      units: this.#units,
      watch: this.#watch,
      clock,
      isOwned: (key) => this.#index.isOwned(key),
      latest: (id, asking) => this.#list.latest(id, asking),
      onRecalled: (key, lastSeen) => this.#index.recordLastSeen(key, lastSeen),
      onAnswer: (key, lastSeen) => this.#recordLastSeen(key, lastSeen, "list"),
      interval: () => this.#latestInterval(),
      onCount: () => this.#entry.show(),
    });
    this.#entry = new ListEntry(
      {
        writer: this.#writer,
        reception,
        sums: () => this.#index.sums,
        asked: () => this.#asked.counts,
        now: clock.now,
      },
      stored && { entry: stored.list, listedAgo },
    );
    this.#entry.show();
    this.#documents = writeAccount(store.documents, timers, log);
    this.#memory = createDeviceMemory({
      ...{ store: store.documents, writer: this.#documents, watch: this.#watch, beats: this.#beats, timers },
      watchedDevices: () => [...this.#writer.keys()].filter((key) => this.#isTellable(key)),
    });
    this.#timers = [
      repeat(timers, PRUNE_MS, () => this.#index.prune()),
      repeat(timers, NODE_SILENT_MS / 3, () => this.#releaseSilentNodes()),
    ];
  }

  async #restore(stored: StoredFleet | null): Promise<void> {
    await this.#memory.restore();
    this.#stopWatching = this.#deps.roster.listen((accountId) => this.#index.watchChanged(accountId));
    if (stored) {
      this.#index.resume(stored.devices, stored.values);
      this.#firstRead.resumed();
    }
    this.#entry.resumed();
    this.#units.add(
      {
        name: FLEET_LIST,
        interval: () => this.#interval(),
        stretches: () => true,
        urgent: () => false,
        ask: (asking) => this.#readList(asking),
        failed: (error) => {
          const refused = error instanceof NoAccessError;
          for (const key of this.#index.unownedKeys())
            refused ? this.#watch.cannotTell(key) : this.#watch.failed(key);
        },
      },
      "spread",
    );
  }

  /** Make an administrator's token available for polling until it expires. */
  lend(token: string): void {
    const lacked = !this.#credentials.any;
    this.#credentials.lend(token, tokenEnd(token, this.#deps.runtime.clock, this.#deps.upstream.clock));
    if (lacked) this.#units.retryFailed(0);
  }

  interest(node: string, interest: Interest | null, forMs?: number): void {
    this.#viewers.set(node, interest, forMs);
  }

  /** Resolve when the first state is there; reject with an `UpstreamError` if the fleet cannot be read. */
  load(): Promise<void> {
    return this.#firstRead.read(
      async () => {
        await this.#units.askNow(FLEET_LIST);
        this.#memory.markWatched();
        await this.#writer.flushNow();
      },
      () => undefined,
    );
  }

  get loaded(): boolean {
    return this.#firstRead.isDone;
  }

  get verdict(): FleetVerdict {
    return { term: this.#term, wanted: this.viewers > 0 };
  }

  handleBatch({ node: from, reports, over }: FleetBatch): void {
    this.#batchSeenAt.set(from, this.#deps.runtime.clock.monotonic());
    for (const report of reports) {
      this.#index.applyReport(from, report);
      for (const device of report.devices) {
        const key = fleetDeviceKey(device.kind, device.id);
        if (device.beats) this.#beats.merge(key, device.beats);
        if (device.heardAt !== null) this.#beats.record(key, Date.parse(device.heardAt));
        if (device.quality !== "unknown") this.#beats.markWatched(key);
      }
    }
    for (const account of over) this.#index.releaseAccount(from, account);
  }

  handleMessage(message: ReceivedMessage): void {
    const { topic } = message;
    if (topic.kind === "changed") this.#handleChange(message);
    else if (topic.kind === "sensor") this.#handleReading(topic.id, message);
    else if (topic.kind === "channel") this.#handleChannel(message);
  }

  /** Note a write by an administrator (POLL-8). */
  noteWrite(): void {
    this.#noteChange(() => this.#units.due(FLEET_LIST, 0));
  }

  /**
   * Return the activity of devices.
   *
   * @param ids the part of their keys after `device:`
   */
  beats(ids: readonly string[]): BeatsAnswer {
    const from = (beatSlot(this.#deps.runtime.clock.now()) - BEAT_SLOTS + 1) * BEAT_SLOT_MS;
    const known = ids.map((id) => `device:${id}`).filter((key) => this.#writer.get(key) !== undefined);
    return {
      from: new Date(from).toISOString(),
      slotMs: BEAT_SLOT_MS,
      beats: Object.fromEntries(known.map((key) => [key.slice("device:".length), this.#beats.of(key).text])),
    };
  }

  /** Retry failed requests once the API is reachable again. */
  reachable(): void {
    this.#units.retryFailed(RETRY_SPREAD_MS);
  }

  paceChanged(): void {
    this.#entry.show();
    this.#units.reschedule();
    this.#watch.review();
  }

  get viewers(): number {
    return this.#viewers.count;
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#memory.close();
    for (const timer of this.#timers) timer.cancel();
    this.#units.close();
    this.#aborter.abort();
    this.#memory.markWatched();
    await this.#writer.flushNow();
    this.#writer.close();
    await this.#memory.save();
    this.#documents.close();
    this.#watch.close();
    this.#viewers.close();
    this.#streams.detach();
    await this.#deps.store.release(FLEET, this.#store.fence);
  }

  #viewersChanged(): void {
    // Without viewers owners' reports are ignored. The next viewer gets complete reports.
    if (this.viewers === 0) for (const one of this.#index.nodes()) this.#index.releaseNode(one);
    else if (this.#isStale) this.noteWrite();
    this.#units.reschedule();
    this.#events.onVerdict();
  }

  /** The list has changed: read it while it has a viewer, else for the next one. */
  #noteChange(readAgain: () => void): void {
    this.#empty.wrote(FLEET_LIST);
    this.#isStale = this.viewers === 0;
    if (!this.#isStale) readAgain();
  }

  #interval(): number | null {
    if (this.viewers === 0) return null;
    const { watched, unwatched } = this.#deps.polling.intervals.fleet;
    const factor = this.#deps.upstream.reception.mqtt ? RECEIVED_FACTOR : 1;
    return (this.#viewers.watches() ? watched : unwatched) * factor;
  }

  #latestInterval(): number | null {
    if (this.viewers === 0) return null;
    const { latest, fleet } = this.#deps.polling.intervals;
    return this.#viewers.watches() ? latest.withoutList : fleet.unwatchedLatest;
  }

  /** Record the last report of a device, from the list or the broker. */
  #recordLastSeen(key: string, lastSeen: LastSeen | null, how: "list" | "message"): void {
    if (lastSeen) this.#beats.record(key, lastSeen.heardAt);
    if (this.#index.isOwned(key)) return;
    if (how === "list" && lastSeen === null) this.#watch.silentSoFar(key);
    // A device seen for the first time after a long silence was not late a moment ago.
    else if (how === "list" && (this.#watch.quality(key) === null || this.#asked.isUnanswered(key)))
      this.#watch.answered(key);
    this.#asked.answered(key);
    if (lastSeen) {
      this.#index.recordLastSeen(key, lastSeen);
      const { heardAt, measuredAt = null } = lastSeen;
      this.#watch.reported(key, { heardAt, regular: true, measuredAt });
    }
    if (how === "list") this.#watch.answered(key);
  }

  async #readList(asking: { urgent: boolean }): Promise<void> {
    const keys = await this.#list.read(asking, (rows, progress) => {
      this.#notifyAccounts(this.#index.list(rows));
      for (const row of rows) {
        if (row.beats) this.#beats.merge(row.key, row.beats);
        if (row.lastSeen === undefined) this.#asked.ask(row);
        else this.#recordLastSeen(row.key, row.lastSeen, "list");
      }
      this.#entry.progressed(progress);
    });
    if (!this.#empty.isBelieved(FLEET_LIST, keys.size, this.#index.size > 0)) {
      this.#units.due(FLEET_LIST, EMPTY_AGAIN_MS);
      return;
    }
    this.#notifyAccounts(this.#index.listed(keys));
    this.#asked.forgetOthers(keys);
    if (this.#isFirstList) this.#asked.hurry();
    this.#isFirstList = false;
    const knowsFlips = this.#deps.upstream.capabilities.has("fleet-presence");
    this.#entry.listed(keys.size, { knowsFlips, intervalMs: this.#interval() });
  }

  #notifyAccounts(accounts: ReadonlySet<string>): void {
    // The first list shows no changes.
    if (this.#entry.isListed) for (const accountId of accounts) this.#events.onAccountChanged(accountId);
  }

  #isTellable(key: string): boolean {
    return key.startsWith("device:") && this.#writer.get(key)?.quality !== "unknown";
  }

  #releaseSilentNodes(): void {
    const { clock, log } = this.#deps.runtime;
    const now = clock.monotonic();
    for (const one of this.#index.nodes()) {
      const isHere = one === this.#deps.store.node.id;
      if (isHere || now - (this.#batchSeenAt.get(one) ?? now) < NODE_SILENT_MS) continue;
      log.info({ event: "fleet-node-silent", node: one }, "node stopped reporting to fleet");
      this.#batchSeenAt.delete(one);
      this.#index.releaseNode(one);
    }
  }

  /** Note a write that the API reports: many can follow each other, from a program. */
  #handleChange(message: ReceivedMessage): void {
    const changed = parsePayload(OutChanged, message);
    if (!changed.ok || !LISTED.has(changed.value.entity)) return;
    this.#noteChange(() => this.#units.dueAfter(FLEET_LIST, CHANGED_GAP_MS));
  }

  #handleReading(id: string, message: ReceivedMessage): void {
    const key = fleetDeviceKey("sensor", id);
    if (!this.#index.has(key) || this.#index.isOwned(key)) return;
    const reading = parsePayload(OutReading, message);
    if (!reading.ok) return;
    const { battery, rssi, fwversion } = readingValues(reading.value);
    const measuredAt = Date.parse(reading.value.at);
    const heardAt = contactTime({ at: measuredAt, heardAt: Date.parse(reading.value.receivedAt) });
    const values = lastSeenFields(battery, rssi, fwversion);
    this.#recordLastSeen(key, { heardAt, measuredAt, ...values }, "message");
  }

  #handleChannel(message: ReceivedMessage): void {
    const state = parsePayload(OutChannel, message);
    if (!state.ok || state.value.serial == null) return;
    const key = this.#index.keyOfSerial(state.value.serial);
    if (key === undefined || this.#index.isOwned(key)) return;
    const { rssi, fwversion, heardAt, link } = state.value;
    if (link) this.#index.recordLink(key, link);
    // A retained state without a time is no contact (ORD-4).
    if (heardAt === null) return;
    const values = lastSeenFields(null, rssi, fwversion);
    this.#recordLastSeen(key, { heardAt: Date.parse(heardAt), ...values }, "message");
  }
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
