// This file is long because all work of one real controller runs here in order: its messages, decisions and
// commands.

import { isDeepStrictEqual } from "node:util";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { Clock } from "@mulkko/shared/rules/clock";
import { VALVE_OFF, VALVE_ON, VALVE_UNKNOWN } from "@mulkko/shared/rules/valve";
import type { FastifyBaseLogger } from "fastify";
import { DatabaseError } from "../../database/database.ts";
import { type Broker, BrokerDownError, type OutMessage } from "../../devices/broker.ts";
import type { KnownDevice, KnownValves } from "../../devices/device-index.ts";
import type { DeviceLinks } from "../../devices/device-links.ts";
import type { DriverReport } from "../../devices/received.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import { expiryOf, type ValveCommand } from "../command-rules.ts";
import { decide, type EndReason, endOf } from "../modes/decide.ts";
import { modesReport } from "../modes/engine-report.ts";
import type { Mode } from "../modes/engine-settings.ts";
import { ended, type Moment } from "../modes/engine-state.ts";
import type { Valve, ValveDriver, ValveNews } from "./driver.ts";
import { driverOf } from "./drivers.ts";
import { afterNews, closing, isAwaited, isLimited, opening, type SoftChannel } from "./soft-channel.ts";
import type { SoftStore, StoredEnding, StoredSoftChannel } from "./soft-store.ts";
import type { StoreOutage } from "./store-outage.ts";

/**
 * An unconfirmed close is repeated at this interval for this long, ms, and then at the longer one while the valve's
 * last report is open.
 */
const CLOSE_AGAIN_MS = 10_000;
const CLOSE_FOR_MS = 10 * 60_000;
const CLOSE_LATER_MS = 60_000;
/** A run that should end by itself gets this much extra time, ms. */
const OWN_END_MS = 5_000;
/**
 * A valve is queried at this interval, ms: one that reports changes only is not overdue while it answers (ONL-2: 2 min).
 */
const ASK_MS = 60_000;
/** A device that reports online may still be subscribing, ms. */
const SETTLE_MS = 500;
/** Time after which a write that the store has refused is tried again, ms. */
const STORE_AGAIN_MS = 2_000;
/** Time for which a value that cannot be read again counts: moisture, or changed settings, ms. */
const READ_WITHIN_MS = 60_000;

/** A close that the valve has not confirmed. Times are on the monotonic clock, ms. */
interface PendingClose {
  readonly since: number;
  /** Time to send it, first or again. */
  at: number;
  /** True once the broker has it. */
  isSent: boolean;
}

interface LiveChannel extends StoredSoftChannel {
  soft: SoftChannel;
  /** End of the valve's run by its report, on the monotonic clock; null where it has none. */
  runEndsAt: number | null;
  /**
   * End of the newest open that was sent, until the valve has opened and closed since. Its reports may be late: they
   * wait for the store.
   */
  sentEndsAt: number | null;
  nextLookAt: number;
  /** Time to query and configure its valve, on the monotonic clock. */
  greetAt: number;
  closes: PendingClose | null;
  /** The end of the engine's run that the store has not taken yet. Until then `engine` still has the run. */
  ending: StoredEnding | null;
  /** Time to store it, on the monotonic clock. */
  storeAt: number;
  /** The last moisture that was read; null before the first read. */
  moisture: { readonly value: number | null; readonly readAt: number } | null;
  loadedAt: number;
  /** True while its state or modes could not be stored as a report. */
  isUnreported: boolean;
  /** Arrival of the valve's state in a report that could not be stored, ms UTC; null where none waits. */
  unreportedFrom: number | null;
}

/** Stores what a driver reports of its valves, and sends it on. */
export interface ReportSink {
  report(report: DriverReport): Promise<void>;
  /** Store that the device went online or offline. */
  line(device: KnownDevice, online: boolean): Promise<void>;
  readonly links: Pick<DeviceLinks, "of">;
  readonly outputs: { changed(accountId: string, entity: "channel", id: string | number): void };
}

export interface SoftDeviceDeps {
  readonly store: SoftStore;
  readonly ingest: ReportSink;
  readonly broker: Pick<Broker, "publish" | "hasSession">;
  readonly clock: Clock;
  readonly logger: Pick<FastifyBaseLogger, "info" | "warn">;
  readonly outage: StoreOutage;
}

/**
 * A controller that only opens and closes: this process runs its watering modes.
 *
 * Memory follows the store for what opens or continues water, and closing does not wait for the store (AUTO-9):
 *
 * | what | order |
 * | --- | --- |
 * | a run begins | stored, then in memory, then sent |
 * | a run ends | `closes` and `ending` in memory, sent, then stored; both are repeated |
 * | a valve's report | in memory, then stored; it is not acknowledged before |
 * | changed settings | read again until it succeeds; until then no mode opens |
 *
 * ```
 *          stored, sent                  its end, a close, a report of closed
 *   idle ───────────────▶ run in store ──────────────────────────────────────▶ run in store + ending
 *     ▲                                                                            │
 *     └──────────────────────── the ending is stored ─────────────────────────────┘
 * ```
 *
 * The caller runs `load`, `handle`, `open` and `look` one at a time. `close`, `silence` and `closeDue` never wait.
 */
export class SoftDevice {
  readonly device: KnownDevice;
  readonly #valves: KnownValves;
  readonly #driver: ValveDriver;
  readonly #deps: SoftDeviceDeps;
  readonly #channels = new Map<number, LiveChannel>();
  /** Number of closes pressed of each channel: an opening that came before one is not sent after it. */
  readonly #pressed = new Map<number, number>();
  #isLoaded = false;
  /** True where the store may have other channels or settings than were read. */
  #isStale = true;
  /** Since when changed settings could not be read, on the monotonic clock; null: none wait. */
  #changedAt: number | null = null;

  constructor(device: KnownDevice, valves: KnownValves, deps: SoftDeviceDeps) {
    this.device = device;
    this.#valves = valves;
    this.#driver = driverOf(valves.driver);
    this.#deps = deps;
  }

  /** Read the channels again before the next work. */
  markStale(): void {
    this.#isStale = true;
  }

  /** Record that settings were changed in the store. */
  markChanged(): void {
    this.#isStale = true;
    this.#changedAt ??= this.#deps.clock.monotonic();
  }

  /** Read the channels, unless they are up to date. @throws DatabaseError */
  async load(): Promise<void> {
    if (!this.#isStale) return;
    const now = this.#moment();
    // A change during the read is read once more.
    this.#isStale = false;
    let fresh: StoredSoftChannel[];
    try {
      fresh = await this.#ofStore(`device ${this.device.id}`, this.#deps.store.load(this.device, now));
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#isLoaded = true;
    if (!this.#isStale) this.#changedAt = null;
    for (const number of this.#channels.keys()) {
      if (!fresh.some((one) => one.number === number)) this.#drop(number);
    }
    for (const stored of fresh) this.#take(stored, now);
  }

  #drop(number: number): void {
    const live = this.#channels.get(number);
    for (const what of live ? [runOf(live), reportOf(live), moistureOf(live)] : []) {
      this.#deps.outage.worked(what);
    }
    this.#channels.delete(number);
  }

  #take(stored: StoredSoftChannel, { now, monotonic }: Moment): void {
    const known = this.#channels.get(stored.number);
    if (known?.channelId === stored.channelId) {
      // The valve's last state is repeated with the changed modes.
      if (!isDeepStrictEqual(known.settings, stored.settings)) known.isUnreported = true;
      known.settings = stored.settings;
      known.nextLookAt = monotonic;
      return;
    }
    const { onoff, runUntil } = stored.soft;
    this.#channels.set(stored.number, {
      ...stored,
      runEndsAt: onoff === VALVE_ON && runUntil !== null ? monotonic + runUntil - now : null,
      sentEndsAt: null,
      nextLookAt: monotonic,
      greetAt: monotonic + SETTLE_MS,
      closes: null,
      ending: null,
      storeAt: monotonic,
      moisture: null,
      loadedAt: monotonic,
      isUnreported: false,
      unreportedFrom: null,
    });
  }

  /**
   * Take a message of the device. It may be acknowledged once this resolves.
   *
   * @param retained true for the broker's copy of an earlier message
   * @throws DatabaseError
   */
  async handle(topic: string, payload: string, retained: boolean): Promise<void> {
    if (this.#isStale) {
      // The known channels follow their valves also while their settings cannot be read; `look` reads them again.
      await this.load().catch((error: unknown) => {
        if (!this.#isLoaded) throw error;
      });
    }
    for (const said of this.#driver.parse(this.#valves, topic, payload)) {
      if (retained) await this.#handleRetained(said);
      else if (said.kind === "line") await this.#handleOnline(said.online);
      else if (said.kind === "refused") {
        this.#deps.logger.warn(
          { event: "valve-refused-command", serial: this.#valves.serial, reason: said.reason },
          "valve refused command",
        );
      } else {
        const numbers = said.number === null ? [...this.#channels.keys()] : [said.number];
        for (const number of numbers) {
          const live = this.#channels.get(number);
          if (live) await this.#handleNews(live, said);
        }
      }
    }
  }

  /** Ask a valve for its state. @throws BrokerDownError */
  ask(number: number): Promise<void> {
    return this.#send(this.#driver.ask(this.#valveOf(number)));
  }

  /** Return the number of closes of a channel pressed so far, for {@link open}. */
  pressedOf(number: number): number {
    return this.#pressed.get(number) ?? 0;
  }

  /**
   * Open a valve for a user. The end of a mode's run is stored first.
   *
   * @param pressedBefore {@link pressedOf} at the arrival of the command
   * @throws DatabaseError; BrokerDownError; ApiError 409 for a late open, or one from before a close
   */
  async open(command: ValveCommand, commandId: string, pressedBefore: number): Promise<void> {
    await this.load();
    const live = this.#channels.get(command.number);
    if (!live) throw notFound("channel");
    expiryOf(command, this.#deps.clock.now());
    const hadRun = live.engine.run !== null;
    const ending = live.ending ?? this.#endingOf(live);
    if (ending) await this.#storeEnding(live, ending);
    try {
      if (this.pressedOf(command.number) !== pressedBefore) {
        throw new ApiError(409, "command-expired", "a close was pressed after it; the valve was not opened");
      }
      const expiresAt = expiryOf(command, this.#deps.clock.now());
      await this.#open(live, commandId, (command.maxRunSeconds ?? 0) * 1_000, expiresAt);
    } catch (error) {
      // The mode's run is over, and no other has begun.
      if (hadRun) live.closes ??= this.#closeAt(0);
      throw error;
    }
  }

  /** Close a valve for a user, whatever the store does. @throws BrokerDownError; it is sent again all the same */
  async close(number: number, commandId: string): Promise<void> {
    this.#pressed.set(number, this.pressedOf(number) + 1);
    const live = this.#channels.get(number);
    if (!live) {
      const expiresAt = this.#deps.clock.now() + CLOSE_AGAIN_MS;
      return this.#send([this.#driver.close(this.#valveOf(number), commandId, expiresAt)]);
    }
    live.ending ??= this.#endingOf(live);
    await this.#close(live, commandId);
  }

  /** End the run of a mode that is being switched off, whatever the store does. */
  async endRun(number: number, mode: Mode | "any"): Promise<void> {
    const live = this.#channels.get(number);
    const run = live?.engine.run;
    if (!live || !run || live.ending || (mode !== "any" && run.mode !== mode)) return;
    await this.#endRun(live, "not-in-charge");
  }

  /** Close channels that are about to be deleted. */
  async silence(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      this.#drop(number);
      const expiresAt = this.#deps.clock.now() + CLOSE_AGAIN_MS;
      await this.#trySend([this.#driver.close(this.#valveOf(number), "", expiresAt)]);
    }
  }

  /** Send the closes that are due. It neither reads nor writes the store. */
  async closeDue(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((live) => this.#closeChannelDue(live)));
  }

  async #closeChannelDue(live: LiveChannel): Promise<void> {
    const { monotonic } = this.#moment();
    const reason = live.ending ? null : this.#endReasonOf(live);
    if (reason) await this.#endRun(live, reason);
    const isPast = (end: number | null): boolean => end !== null && monotonic >= end + OWN_END_MS;
    // The end that was sent counts from the valve's turn; the reported one is by the valve's own clock.
    if (isPast(live.sentEndsAt ?? (live.soft.onoff === VALVE_ON ? live.runEndsAt : null))) {
      live.sentEndsAt = null;
      live.closes ??= this.#closeAt(0);
    }
    await this.#closeAgain(live);
  }

  /** Do what else is due. Never throws for a store that fails. */
  async look(): Promise<void> {
    const isRead = await this.load().then(
      () => true,
      () => false,
    );
    for (const live of this.#channels.values()) {
      await this.#greet(live);
      try {
        await this.#storeDue(live);
        if (isRead) await this.#water(live);
        await this.#reportAgain(live);
      } catch (error) {
        // The store's own errors are logged once an outage.
        if (!(error instanceof DatabaseError)) throw error;
      }
    }
  }

  /** Await work of the store, and log the begin and the end of its outage. */
  async #ofStore<T>(what: string, work: Promise<T>): Promise<T> {
    const { outage } = this.#deps;
    try {
      const result = await work;
      outage.worked(what);
      return result;
    } catch (error) {
      outage.failed(what, error);
      throw error;
    }
  }

  #moment(): Moment {
    const { clock } = this.#deps;
    return { now: clock.now(), monotonic: clock.monotonic() };
  }

  #valveOf(number: number): Valve {
    return { ...this.#valves, number };
  }

  async #send(messages: readonly OutMessage[]): Promise<void> {
    for (const message of messages) await this.#deps.broker.publish(message);
  }

  /** Send messages that can be repeated later. @returns true where the broker has them */
  async #trySend(messages: readonly OutMessage[]): Promise<boolean> {
    try {
      await this.#send(messages);
      return true;
    } catch (error) {
      if (!(error instanceof BrokerDownError)) throw error;
      this.#deps.logger.warn(
        { event: "valve-unreachable", err: error, serial: this.#valves.serial },
        "cannot reach valve",
      );
      return false;
    }
  }

  /** Return the end of the engine's run, whatever closed the valve; null where there is none. */
  #endingOf({ engine, settings }: LiveChannel): StoredEnding | null {
    if (!engine.run) return null;
    return { ...ended(settings, engine, this.#moment()), revision: settings.revision };
  }

  /** Return the reason for which the engine's run is over by what is known without the store. */
  #endReasonOf(live: LiveChannel): EndReason | null {
    if (!live.engine.run) return null;
    const { monotonic } = this.#moment();
    if (this.#changedAt !== null && monotonic - this.#changedAt >= READ_WITHIN_MS) return "not-in-charge";
    const readAt = live.moisture?.readAt ?? live.loadedAt;
    const isKnown = monotonic - readAt < READ_WITHIN_MS;
    const moisture = isKnown ? (live.moisture ? live.moisture.value : "unread") : null;
    return endOf(live.settings, live.engine, moisture, this.#moment());
  }

  /** End the engine's run: its close is sent now, its end is stored later. */
  async #endRun(live: LiveChannel, reason: EndReason): Promise<void> {
    live.ending = this.#endingOf(live);
    live.nextLookAt = this.#deps.clock.monotonic();
    this.#logAction(live, { kind: "close", mode: live.engine.run?.mode, reason });
    // It closes by itself: a close is sent only if it does not.
    if (reason === "done") live.closes ??= this.#closeAt(OWN_END_MS);
    else await this.#tryClose(live);
  }

  #logAction({ number }: LiveChannel, action: object): void {
    this.#deps.logger.info(
      { event: "mode-action", serial: this.#valves.serial, number, ...action },
      "soft controller runs watering mode",
    );
  }

  /** Store a run's end, and deactivate a mode that ran once. @throws DatabaseError */
  async #storeEnding(live: LiveChannel, ending: StoredEnding): Promise<void> {
    const { store, ingest, clock } = this.#deps;
    const { channelId, number } = live;
    const channel = { channelId, number, deviceId: this.device.id };
    await this.#ofStore(runOf(live), store.saveEnding(channel, ending));
    live.engine = ending.state;
    live.ending = null;
    live.storeAt = clock.monotonic();
    if (!ending.clears) return;
    if (live.settings.revision === ending.revision) live.settings = { ...live.settings, active: "none" };
    live.isUnreported = true;
    ingest.outputs.changed(this.device.accountId, "channel", channelId);
  }

  async #storeDue(live: LiveChannel): Promise<void> {
    const { monotonic } = this.#moment();
    if (!live.ending || monotonic < live.storeAt) return;
    // After a restart the stored run is what closes the valve, until the broker has the close.
    if (live.closes && !live.closes.isSent) return;
    live.storeAt = monotonic + STORE_AGAIN_MS;
    await this.#storeEnding(live, live.ending);
  }

  /** @param heardAt arrival of the valve's state; null where only the settings changed, or for a retained one */
  async #report(live: LiveChannel, heardAt: number | null): Promise<void> {
    live.isUnreported = true;
    live.unreportedFrom = heardAt ?? live.unreportedFrom;
    await this.#ofStore(reportOf(live), this.#reportAs(live, live.soft, live.unreportedFrom, false));
    live.isUnreported = false;
    live.unreportedFrom = null;
  }

  async #reportAs(
    { number, settings, engine }: LiveChannel,
    soft: SoftChannel,
    heardAt: number | null,
    retained: boolean,
  ): Promise<void> {
    if (soft.onoff === VALVE_UNKNOWN) return;
    const limit = isLimited(soft) ? "valve" : "none";
    const modes = Object.entries({ ...modesReport(settings, engine, this.#moment()), limit });
    await this.#deps.ingest.report({
      deviceId: this.device.id,
      number,
      heardAt,
      retained,
      onoff: soft.onoff,
      moisture: null,
      runUntil: soft.runUntil,
      commandId: soft.commandId,
      fwversion: null,
      rssi: null,
      modes: Object.fromEntries(modes.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    });
  }

  async #reportAgain(live: LiveChannel): Promise<void> {
    const { monotonic } = this.#moment();
    if (!live.isUnreported || monotonic < live.storeAt) return;
    live.storeAt = monotonic + STORE_AGAIN_MS;
    await this.#report(live, null);
    live.storeAt = monotonic;
  }

  async #open(live: LiveChannel, commandId: string | null, forMs: number, expiresAt: number): Promise<void> {
    const seconds = Math.min(Math.ceil(forMs / 1_000), this.#driver.maxSeconds);
    const { soft, closes, runEndsAt, sentEndsAt } = live;
    const moment = this.#moment();
    live.soft = opening(soft, commandId, seconds * 1_000, moment);
    live.closes = null;
    live.runEndsAt = null;
    live.sentEndsAt = moment.monotonic + seconds * 1_000;
    const sent = live.soft;
    try {
      const run = { seconds, commandId: commandId ?? "", expiresAt };
      await this.#send([this.#driver.open(this.#valveOf(live.number), run)]);
    } catch (error) {
      // The valve or a close may have changed it meanwhile.
      if (live.soft === sent) Object.assign(live, { soft, runEndsAt, sentEndsAt });
      live.closes ??= closes;
      throw error;
    }
  }

  #closeAt(inMs: number): PendingClose {
    const { monotonic } = this.#moment();
    return { since: monotonic, at: monotonic + inMs, isSent: false };
  }

  /** @throws BrokerDownError; it is sent again all the same */
  async #close(live: LiveChannel, commandId: string | null): Promise<void> {
    const { now, monotonic } = this.#moment();
    live.soft = closing(live.soft, commandId);
    live.sentEndsAt = null;
    const closes: PendingClose = { since: monotonic, at: monotonic + CLOSE_AGAIN_MS, isSent: false };
    live.closes = closes;
    await this.#send([
      this.#driver.close(this.#valveOf(live.number), commandId ?? "", now + CLOSE_AGAIN_MS),
      ...this.#askUnlessOpen(live),
    ]);
    closes.isSent = true;
  }

  async #tryClose(live: LiveChannel): Promise<void> {
    try {
      await this.#close(live, null);
    } catch (error) {
      if (!(error instanceof BrokerDownError)) throw error;
      this.#deps.logger.warn(
        { event: "valve-unreachable", err: error, serial: this.#valves.serial },
        "cannot reach valve",
      );
    }
  }

  /** Send an unconfirmed close, first or again. */
  async #closeAgain(live: LiveChannel): Promise<void> {
    const { closes } = live;
    const { now, monotonic } = this.#moment();
    if (!closes || monotonic < closes.at) return;
    const isLong = monotonic - closes.since >= CLOSE_FOR_MS;
    const isOpen = live.soft.onoff === VALVE_ON;
    if (isLong && !isOpen && closes.isSent) {
      live.closes = null;
      return;
    }
    closes.at = monotonic + (isLong ? CLOSE_LATER_MS : CLOSE_AGAIN_MS);
    const commandId = live.soft.closing?.commandId ?? "";
    const isSent = await this.#trySend([
      this.#driver.close(this.#valveOf(live.number), commandId, now + CLOSE_AGAIN_MS),
      ...this.#askUnlessOpen(live),
    ]);
    closes.isSent ||= isSent;
  }

  /** Return the query that follows a close: not every valve reports one that changes nothing. */
  #askUnlessOpen({ soft, number }: LiveChannel): readonly OutMessage[] {
    return soft.onoff === VALVE_ON ? [] : this.#driver.ask(this.#valveOf(number));
  }

  async #water(live: LiveChannel): Promise<void> {
    const { clock, store, ingest, broker } = this.#deps;
    if (live.ending || clock.monotonic() < live.nextLookAt) return;
    const isRunning = live.engine.run !== null;
    // The modes wait during manual watering, and open no offline valve.
    const isAway =
      ingest.links.of(this.device.id).online !== true || broker.hasSession(this.#valves.serial) === false;
    const waits = live.soft.onoff === VALVE_ON || isAway;
    if (!isRunning && waits) return;
    const pressed = this.pressedOf(live.number);
    if (live.settings.active === "automatic") {
      const from = clock.now() - MOISTURE_FRESH_MS;
      const value = await this.#ofStore(moistureOf(live), store.moisture(live.channelId, from));
      live.moisture = { value, readAt: clock.monotonic() };
    }
    // The run may have ended meanwhile.
    const reason = live.ending ? null : this.#endReasonOf(live);
    if (live.ending || reason) return reason ? this.#endRun(live, reason) : undefined;
    const { action, state, nextLookAt } = decide(
      live.settings,
      live.engine,
      live.moisture?.value ?? null,
      this.#moment(),
    );
    live.nextLookAt = nextLookAt;
    const before = live.engine;
    if (state !== before) {
      // Stored before anything is sent, so that a restart does not open twice.
      await this.#ofStore(runOf(live), store.save(live.channelId, state));
      live.engine = state;
      // The preview counts from here (WAT-3), also where a start was skipped.
      if (state.countsFrom !== before.countsFrom) live.isUnreported = true;
    }
    if (action.kind !== "open") return;
    // During the write a close was pressed, or the settings were changed: the run is over before it has begun.
    const isPressed = this.pressedOf(live.number) !== pressed;
    const undone = { state: before, clears: null, revision: live.settings.revision };
    if (isPressed || this.#isStale) live.ending = isPressed ? this.#endingOf(live) : undone;
    if (live.ending) return;
    this.#logAction(live, action);
    try {
      await this.#open(live, null, action.forMs, clock.now() + CLOSE_AGAIN_MS);
    } catch (error) {
      if (!(error instanceof BrokerDownError)) throw error;
      this.#deps.logger.warn(
        { event: "valve-unreachable", err: error, serial: this.#valves.serial },
        "cannot reach valve",
      );
    }
  }

  async #greet(live: LiveChannel): Promise<void> {
    const { monotonic } = this.#moment();
    if (monotonic < live.greetAt) return;
    live.greetAt = monotonic + ASK_MS;
    await this.#trySend(this.#driver.ask(this.#valveOf(live.number)));
  }

  async #handleNews(live: LiveChannel, said: ValveNews): Promise<void> {
    const { ingest, clock } = this.#deps;
    const before = live.soft;
    const heardAt = clock.now();
    live.soft = afterNews(before, said, this.#moment());
    // Nothing that closes waits for the store below: the same message may never come again.
    if (said.kind === "valve") await this.#follow(live, before);
    // Its own message proves that a valve is there; the broker's copy of an earlier status word does not (ORD-4).
    if (ingest.links.of(this.device.id).online !== true) await ingest.line(this.device, true);
    if (said.kind === "valve") {
      if (live.ending && !live.closes) await this.#storeEnding(live, live.ending);
      await this.#report(live, heardAt);
      return;
    }
    // A confirmed setting does not show whether the valve is open.
    if (isLimited(before) !== isLimited(live.soft)) await this.#report(live, null);
  }

  /** Follow a report of the valve, without the store. */
  async #follow(live: LiveChannel, before: SoftChannel): Promise<void> {
    const { now, monotonic } = this.#moment();
    const { onoff, runUntil } = live.soft;
    if (onoff !== VALVE_OFF) {
      live.runEndsAt = runUntil === null ? null : monotonic + runUntil - now;
      return;
    }
    live.runEndsAt = null;
    live.closes = null;
    if (before.onoff === VALVE_ON && !isAwaited(live.soft, { now, monotonic })) live.sentEndsAt = null;
    // Otherwise the report may be older than the opening.
    const isAnswered = live.sentEndsAt === null;
    if (before.onoff === VALVE_ON) {
      live.ending ??= this.#endingOf(live);
      live.nextLookAt = monotonic;
      if (isAnswered) await this.#trySend(this.#driver.afterRun(this.#valveOf(live.number)));
    }
    // Configure only a valve that stays closed: a run must not be disturbed.
    if (!isLimited(live.soft) && isAnswered)
      await this.#trySend(this.#driver.keep(this.#valveOf(live.number)));
  }

  /**
   * Take the broker's copy of an earlier message: it is no contact and ends no run (ORD-4). The valve is asked
   * for its state.
   */
  async #handleRetained(said: ValveNews): Promise<void> {
    if (said.kind === "line" && !said.online) await this.#handleOnline(false);
    for (const live of this.#channels.values()) {
      live.greetAt = Math.min(live.greetAt, this.#deps.clock.monotonic() + SETTLE_MS);
      if (said.kind !== "valve" || said.number !== live.number) continue;
      const shown = { ...live.soft, onoff: said.isOpen ? VALVE_ON : VALVE_OFF } as const;
      await this.#reportAs(live, shown, null, true);
    }
  }

  async #handleOnline(online: boolean): Promise<void> {
    await this.#deps.ingest.line(this.device, online);
    if (!online) return;
    for (const live of this.#channels.values()) {
      live.greetAt = this.#deps.clock.monotonic() + SETTLE_MS;
      // After a power cut or a reset, the settings must be confirmed again.
      live.soft = { ...live.soft, kept: { "closed-at-power-up": false, limit: false } };
    }
  }
}

const runOf = ({ channelId }: LiveChannel): string => `run ${channelId}`;
const reportOf = ({ channelId }: LiveChannel): string => `report ${channelId}`;
const moistureOf = ({ channelId }: LiveChannel): string => `moisture ${channelId}`;
