import { FieldTimes } from "@mulkko/shared/entities/log-entry";
import type { Actor } from "@mulkko/shared/live/devices";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { Watering, type WateringCause } from "@mulkko/shared/live/watering";
import { channelIdOf, sensorKey } from "@mulkko/shared/rules/device-keys";
import {
  type MeteredWater,
  type MeterReading,
  type MeterRun,
  meteredWater,
  SETTLE_MS,
} from "@mulkko/shared/rules/meter";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { type ChannelReport, saidAt } from "../../account/channel-report.ts";
import { type AccountValues, entriesOf, farmIndexOf } from "../../account/farm-index.ts";
import { valveLabel, type WateringPlace } from "../../account/thing-name.ts";
import type { AccountWriter } from "../../account/writer.ts";
import type { Log } from "../../runtime/log.ts";
import { type DatedCollection, putDated } from "../../store/collections.ts";
import type { DocumentWriter } from "../../store/write-behind.ts";
import { instant } from "../command-log.ts";
import { type Intent, relayEnd } from "../intent.ts";
import type { StoreTime } from "../store-time.ts";
import type { ValveSettings, WateringPast } from "../valves.ts";
import { causeOf, endReasonOf, type WateringEnd, wateringEnd } from "./watering-end.ts";

/** Return the present name, number and farms of a channel; an empty object for an unknown channel. */
function wateringPlace(state: AccountValues, channelKey: string): WateringPlace {
  const label = valveLabel(state, channelKey);
  if (label.number === undefined) return {};
  return { ...label, farmIds: [...farmIndexOf(entriesOf(state)).of(channelKey)] };
}

/** State of a linked flow meter when the water started. */
const MeterStart = Type.Object({
  sensorId: Type.String(),
  /** Its total, litres. */
  litres: Type.Number(),
});
type MeterStart = Static<typeof MeterStart>;

/** Return the meter reading in a sensor's value, at the time of its total; null without one. */
export function meterReading(sensor: Readonly<Record<string, unknown>> | undefined): MeterReading | null {
  const { reading, fieldTimes } = sensor ?? {};
  if (typeof reading !== "object" || reading === null || !("flowmeter" in reading)) return null;
  const times = parse(FieldTimes, fieldTimes);
  // A message without a total leaves the last one in the sensor's value, which is as old as it was.
  const at = (times.ok ? times.value.flowmeter : undefined) ?? sensor?.at;
  const time = typeof at === "string" ? Date.parse(at) : Number.NaN;
  const litres = reading.flowmeter;
  return typeof litres === "number" && !Number.isNaN(time) ? { litres, at: time } : null;
}

/** A watering with its channel, and the data that complete its record. */
export const StoredWatering = Type.Object({
  channelKey: Type.String(),
  watering: Watering,
  /** The linked flow meter, until the litres are known. */
  meter: Type.Optional(MeterStart),
  /**
   * Time of the device's last report of running water, and of the last check, ms UTC. Both may be a few
   * minutes old.
   */
  seenAt: Type.Optional(Type.Number()),
  lookedAt: Type.Optional(Type.Number()),
});
export type StoredWatering = Static<typeof StoredWatering>;

/** The waterings by their id, with the time of their start: eight channels, each hour of a week. */
export const WATERINGS = {
  ...{ name: "waterings", shape: "dated", value: StoredWatering },
  ...{ forMs: LIVE_LIMITS.eventsKeptMs, atMost: 2_000 },
  sqlite: { table: "waterings", key: "id", value: "watering" },
  redis: { documents: "w", times: "wt" },
} as const satisfies DatedCollection;

/** WAT-1: ms after the end at which the soil moisture is recorded. */
const AFTER_MS = 30 * 60_000;
/** ms for which the channel's present moisture still counts. Later its logs are read. */
const AFTER_LATE_MS = 5 * 60_000;
/** ms of a meter's log before a watering, which show its interval, its flow and other consumers. */
const METER_LOG_MS = 4 * 3_600_000;
/** ms between two reads of the log of a meter that does not report live, and the longest wait for it. */
const METER_LOG_EVERY_MS = 10 * 60_000;
const METER_WAIT_MS = 5 * 3_600_000;
/** Number of reads of the logs before a missing value is final. */
const PAST_TRIES = 3;
/** ms for which a watering stays on the screens. */
export const SHOWN_MS = 24 * 3_600_000;
const SWEEP_MS = 10 * 60_000;
/** ms between two checks while a record is incomplete. */
const UNSETTLED_MS = 60_000;
/**
 * ms without the channel in any list after which it is gone. A list may be missing while it is read again.
 */
const GONE_MS = 60_000;
/** ms of silence after which a device is no longer trusted to report its water. */
const LOST_MS = 26 * 3_600_000;
/** ms between two writes of the time at which water was seen running. */
const SEEN_EVERY_MS = 5 * 60_000;
/** Waterings on the screens of one account. Beyond it the oldest are dropped. */
const SHOWN_AT_MOST = 1_000;

interface Beginning {
  readonly cause: WateringCause;
  readonly by: Actor | null;
  /** ms UTC */
  readonly at: number;
}

/** Ends of a run, ms UTC; null where there is none. */
interface PlannedEnd {
  readonly byDevice: number | null;
  readonly byRelay: number | null;
  /** True once a person's opening was carried out. */
  readonly commanded: boolean;
}

/** A person's close before the end of a watering, pressed or by the withdrawal of its opening (CMD-12). */
type AskedEnd = "pressed" | "withdrawn";

const endedAt = ({ watering }: StoredWatering): number =>
  watering.end === null ? Number.POSITIVE_INFINITY : Date.parse(watering.end);

interface WateringRegistryDeps {
  readonly writer: AccountWriter;
  readonly durable: DocumentWriter;
  readonly time: StoreTime;
  readonly log: Log;
  readonly newId: () => string;
  readonly settings: Pick<ValveSettings, "flowSensorOf" | "largestFlowOf">;
  readonly past: Pick<WateringPast, "moistureOf" | "meterReadings">;
}

/**
 * The waterings of an account: begun and ended by channel reports, shown for a day, persisted in the store.
 */
export class WateringRegistry {
  readonly #deps: WateringRegistryDeps;
  readonly #shown = new Map<string, StoredWatering>();
  readonly #running = new Map<string, StoredWatering>();
  readonly #missingSince = new Map<string, number>();
  readonly #asked = new Map<string, number>();
  /** Waterings whose meter's log is being read. */
  readonly #measuring = new Set<string>();
  /** Time of the last read of that log, and of the meter's newest reading then, ms UTC. */
  readonly #measuredAt = new Map<string, { at: number; live: number }>();
  #sweeping: { cancel(): void } | null = null;
  #closed = false;

  constructor(deps: WateringRegistryDeps) {
    this.#deps = deps;
  }

  /** Load the stored waterings, oldest first. */
  load(stored: readonly StoredWatering[]): void {
    const now = this.#deps.time.now();
    for (const one of stored) if (now - endedAt(one) < SHOWN_MS) this.#show(one);
  }

  running(channelKey: string): Watering | undefined {
    return this.#running.get(channelKey)?.watering;
  }

  get anyRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Return those on the screens, including what the store may not have yet. */
  shown(): Iterable<StoredWatering> {
    return this.#shown.values();
  }

  begin(channelKey: string, { cause, by, at }: Beginning): void {
    const watering: Watering = {
      id: this.#deps.newId(),
      channelId: channelIdOf(channelKey),
      cause,
      by,
      start: instant(at),
      end: null,
      endReason: null,
      moistureBefore: this.#moistureOf(channelKey),
      moistureAfter: null,
      litres: null,
      ...wateringPlace(this.#deps.writer, channelKey),
    };
    const meter = this.#meterOf(channelKey);
    const now = this.#deps.time.now();
    this.#put({ channelKey, watering, ...(meter && { meter }), seenAt: at, lookedAt: now }, true);
  }

  /** Note that the device reported running water at `at` (ms UTC). */
  saw(channelKey: string, at: number): void {
    const stored = this.#running.get(channelKey);
    if (!stored) return;
    const now = this.#deps.time.now();
    const seenAt = Math.max(this.#lastSeen(stored), at);
    const keptAt = stored.lookedAt ?? 0;
    const next = { ...stored, seenAt, lookedAt: now };
    const kept = Math.floor(now / SEEN_EVERY_MS) === Math.floor(keptAt / SEEN_EVERY_MS);
    this.#running.set(channelKey, next);
    this.#shown.set(stored.watering.id, next);
    if (!kept) this.#keep(next);
  }

  /**
   * Note when the run ends, ms UTC, by the device's own report; otherwise when the relay closes the valve. Null
   * where neither does.
   */
  plan(channelKey: string, { byDevice, byRelay, commanded }: PlannedEnd): void {
    const stored = this.#running.get(channelKey);
    if (!stored) return;
    const { watering } = stored;
    const plannedEnd = byDevice === null ? null : instant(byDevice);
    const end = byDevice ?? byRelay;
    const runEnd: Watering["runEnd"] =
      end === null
        ? watering.runEnd
        : {
            at: instant(end),
            by: byDevice === null ? "relay" : "device",
            commanded: commanded || watering.runEnd?.commanded === true,
          };
    const isSame =
      (watering.plannedEnd ?? null) === plannedEnd &&
      watering.runEnd?.at === runEnd?.at &&
      watering.runEnd?.by === runEnd?.by &&
      watering.runEnd?.commanded === runEnd?.commanded;
    if (!isSame)
      this.#put({ ...stored, watering: { ...watering, plannedEnd, ...(runEnd && { runEnd }) } }, false);
  }

  /** Return the ms since running water was last checked; 0 where none runs. */
  unseenFor(channelKey: string): number {
    const stored = this.#running.get(channelKey);
    return stored ? Math.max(0, this.#deps.time.now() - (stored.lookedAt ?? this.#lastSeen(stored))) : 0;
  }

  /**
   * End the channel's watering.
   * @param asked the kind of a person's close that was pending
   */
  end(channelKey: string, reason: NonNullable<Watering["endReason"]>, at: number, asked?: AskedEnd): void {
    const stored = this.#running.get(channelKey);
    if (!stored) return;
    const ended = wateringEnd(this.#plannedEndOf(stored), this.#lastSeen(stored), at);
    const isWithdrawn = asked === "withdrawn";
    if (ended.end !== at) this.#finish(stored, asked ? "closed" : "done", ended, isWithdrawn);
    else {
      const end = reason === "lost" ? this.#lastSeen(stored) : at;
      this.#finish(stored, reason, { end, confirmedAt: null }, isWithdrawn);
    }
  }

  close(): void {
    this.#closed = true;
    this.#sweeping?.cancel();
    this.#sweeping = null;
  }

  #moistureOf(channelKey: string): number | null {
    const moisture = this.#deps.writer.get(channelKey)?.moisture;
    return typeof moisture === "number" ? moisture : null;
  }

  #meterOf(channelKey: string): MeterStart | null {
    const sensorId = this.#deps.settings.flowSensorOf(channelIdOf(channelKey));
    const reading = sensorId === null ? null : meterReading(this.#deps.writer.get(sensorKey(sensorId)));
    return sensorId === null || reading === null ? null : { sensorId, litres: reading.litres };
  }

  #drop(id: string): void {
    this.#shown.delete(id);
    this.#asked.delete(id);
    this.#measuredAt.delete(id);
    this.#deps.writer.del(`watering:${id}`);
  }

  #show(stored: StoredWatering): void {
    const { watering, channelKey } = stored;
    this.#shown.set(watering.id, stored);
    if (watering.end === null) this.#running.set(channelKey, stored);
    else if (this.#running.get(channelKey)?.watering.id === watering.id) this.#running.delete(channelKey);
    this.#deps.writer.set(`watering:${watering.id}`, watering);
    for (const [id, { watering: old }] of this.#shown) {
      if (this.#shown.size <= SHOWN_AT_MOST) break;
      if (old.end !== null) this.#drop(id);
    }
    this.#sweepLater();
  }

  #keep(stored: StoredWatering): void {
    const { watering } = stored;
    // The writer itself tries again after a failure of the store.
    void this.#deps.durable.put([putDated(WATERINGS, watering.id, Date.parse(watering.start), stored)]);
  }

  #put(stored: StoredWatering, isAnnounced: boolean): void {
    this.#show(stored);
    const { watering } = stored;
    if (isAnnounced)
      this.#deps.writer.event({ kind: "watering", at: watering.end ?? watering.start, watering });
    this.#keep(stored);
  }

  #finish(
    stored: StoredWatering,
    endReason: NonNullable<Watering["endReason"]>,
    { end: at, confirmedAt }: WateringEnd,
    isWithdrawn: boolean = false,
  ): void {
    const { plannedEnd: _, runEnd: __, ...watering } = stored.watering;
    const end = instant(Math.max(at, Date.parse(watering.start)));
    const confirmed = confirmedAt === null ? {} : { confirmedAt: instant(confirmedAt) };
    const withdrawn = isWithdrawn ? { withdrawn: true as const } : {};
    this.#put({ ...stored, watering: { ...watering, end, endReason, ...confirmed, ...withdrawn } }, true);
  }

  #plannedEndOf({ watering: { plannedEnd } }: StoredWatering): number | null {
    return plannedEnd ? Date.parse(plannedEnd) : null;
  }

  #lastSeen({ seenAt, watering }: StoredWatering): number {
    return seenAt ?? Date.parse(watering.start);
  }

  /** End a watering whose channel was removed, or whose device has been silent for more than a day. */
  #sweepRunning(stored: StoredWatering, now: number): void {
    const { channelKey, watering } = stored;
    const present = this.#deps.writer.get(channelKey) !== undefined;
    if (present) this.#missingSince.delete(watering.id);
    else if (!this.#missingSince.has(watering.id)) this.#missingSince.set(watering.id, now);
    const gone =
      !present && now - (this.#missingSince.get(watering.id) ?? now) >= GONE_MS && this.#isListed();
    if (!gone && now - this.#lastSeen(stored) < LOST_MS) return;
    this.#missingSince.delete(watering.id);
    // A deleted valve was closed with it. A valve silent for a day closed at its planned end.
    const end = gone ? this.#lastSeen(stored) : (this.#plannedEndOf(stored) ?? this.#lastSeen(stored));
    this.#finish(stored, "lost", { end, confirmedAt: null });
  }

  /** Return true once the account's lists were read. Until then no channel is known. */
  #isListed(): boolean {
    for (const key of this.#deps.writer.keys()) if (!key.startsWith("watering:")) return true;
    return false;
  }

  /** Complete the record of an ended watering with the data known by now. */
  #settle(stored: StoredWatering, now: number): void {
    const { watering, channelKey, meter } = stored;
    const age = now - endedAt(stored);
    let next = stored;
    if (meter !== undefined) this.#askMeter(stored, meter.sensorId, now);
    if (watering.moistureAfter === null && age >= AFTER_MS && age < AFTER_MS + AFTER_LATE_MS) {
      next = { ...next, watering: { ...next.watering, moistureAfter: this.#moistureOf(channelKey) } };
    }
    if (next !== stored && JSON.stringify(next) !== JSON.stringify(stored)) this.#put(next, false);
    else if (this.#isPastDue(stored, now)) this.#askPast(stored, now);
  }

  #runOf(stored: StoredWatering): MeterRun {
    const { confirmedAt, start } = stored.watering;
    return {
      channel: stored.channelKey,
      from: Date.parse(start),
      to: endedAt(stored),
      largestFlow: this.#deps.settings.largestFlowOf(channelIdOf(stored.channelKey)),
      ...(confirmedAt !== undefined && { confirmedAt: Date.parse(confirmedAt) }),
    };
  }

  /** Return the other runs that the same meter measures. */
  #sharing(own: StoredWatering, sensorId: string): MeterRun[] {
    return [...this.#shown.values()]
      .filter(
        ({ channelKey, watering, meter }) =>
          watering.id !== own.watering.id &&
          (meter?.sensorId ?? this.#deps.settings.flowSensorOf(channelIdOf(channelKey))) === sensorId,
      )
      .map((stored) => this.#runOf(stored));
  }

  /** Return true if the meter has reported since the last read of its log, or its log is due without that. */
  #isMeterDue(id: string, end: number, live: MeterReading | null, now: number): boolean {
    const last = this.#measuredAt.get(id);
    if (live !== null && live.at >= end + SETTLE_MS && live.at > (last?.live ?? 0)) return true;
    return now >= Math.max(end + AFTER_MS, (last?.at ?? 0) + METER_LOG_EVERY_MS);
  }

  /** Read the meter's log once the meter has stood still after the end (WAT-5). */
  #askMeter(stored: StoredWatering, sensorId: string, now: number): void {
    const { id } = stored.watering;
    const run = this.#runOf(stored);
    const live = meterReading(this.#deps.writer.get(sensorKey(sensorId)));
    if (this.#measuring.has(id) || !this.#isMeterDue(id, run.to, live, now)) return;
    this.#measuring.add(id);
    this.#measuredAt.set(id, { at: now, live: live?.at ?? 0 });
    const longest = run.to + METER_WAIT_MS;
    const measured = (water: MeteredWater): void => {
      this.#measuring.delete(id);
      const current = this.#shown.get(id);
      if (this.#closed || current?.meter === undefined) return;
      if (water.kind === "wait" && now < Math.min(water.until, longest)) return;
      this.#measuredAt.delete(id);
      const { meter: _, ...settled } = current;
      const litres = water.kind === "measured" ? water.litres : null;
      const isShared = water.kind === "measured" && water.isShared;
      const watering = { ...current.watering, litres, ...(isShared && { litresShared: true }) };
      this.#put({ ...settled, watering }, false);
    };
    this.#deps.past.meterReadings(sensorId, run.from - METER_LOG_MS, Math.min(now, longest)).then(
      (readings) =>
        measured(
          meteredWater(run, live === null ? readings : [...readings, live], this.#sharing(stored, sensorId)),
        ),
      (error: unknown) => {
        this.#deps.log.debug(
          { event: "meter-log-unreadable", err: error, watering: id },
          "cannot read meter's log",
        );
        measured({ kind: "wait", until: longest });
      },
    );
  }

  #isPastDue({ watering, channelKey }: StoredWatering, now: number): boolean {
    return (
      watering.moistureAfter === null &&
      now >= Date.parse(watering.end ?? watering.start) + AFTER_MS + AFTER_LATE_MS &&
      (this.#asked.get(watering.id) ?? 0) < PAST_TRIES &&
      this.#deps.writer.get(channelKey) !== undefined
    );
  }

  /** Read the moisture from the channel's logs: the relay was down when it was due. */
  #askPast(stored: StoredWatering, now: number): void {
    const { id } = stored.watering;
    this.#asked.set(id, (this.#asked.get(id) ?? 0) + 1);
    this.#deps.past.moistureOf(stored.channelKey, Math.min(now, endedAt(stored) + AFTER_MS)).then(
      (moistureAfter) => {
        const current = this.#shown.get(id);
        this.#asked.set(id, PAST_TRIES);
        if (this.#closed || moistureAfter === null || current === undefined) return;
        this.#put({ ...current, watering: { ...current.watering, moistureAfter } }, false);
      },
      (error: unknown) =>
        this.#deps.log.debug(
          { event: "past-moisture-unreadable", err: error, watering: id },
          "cannot read past moisture",
        ),
    );
  }

  #sweep(): void {
    const now = this.#deps.time.now();
    for (const stored of [...this.#shown.values()]) {
      if (stored.watering.end === null) this.#sweepRunning(stored, now);
      else if (now - endedAt(stored) >= SHOWN_MS) this.#drop(stored.watering.id);
      else this.#settle(stored, now);
    }
  }

  #nextSweepIn(): number {
    const now = this.#deps.time.now();
    let next = SWEEP_MS;
    for (const stored of this.#shown.values()) {
      const due = endedAt(stored) + AFTER_MS - now;
      if (due > 0) next = Math.min(next, due);
      const unsettled =
        stored.watering.end !== null &&
        (stored.meter !== undefined ||
          (due <= 0 && stored.watering.moistureAfter === null && this.#isAskable(stored)));
      if (unsettled || this.#missingSince.has(stored.watering.id)) next = Math.min(next, UNSETTLED_MS);
    }
    return next;
  }

  #isAskable({ watering }: StoredWatering): boolean {
    return (this.#asked.get(watering.id) ?? 0) < PAST_TRIES;
  }

  #sweepLater(): void {
    this.#sweeping?.cancel();
    this.#sweeping = null;
    if (this.#shown.size === 0 || this.#closed) return;
    this.#sweeping = this.#deps.time.after(this.#nextSweepIn(), () => {
      this.#sweeping = null;
      this.#sweep();
      this.#sweepLater();
    });
  }
}

/**
 * Begin or end the channel's watering when a report shows that water started or stopped flowing (WAT-1).
 * @param before the intent before the report
 * @param after the intent after it
 * @param now store time, ms UTC
 */
export function noteWatering(
  channelKey: string,
  { waterings, state }: { waterings: WateringRegistry; state: Pick<AccountValues, "get"> },
  report: ChannelReport,
  intents: { before: Intent | null; after: Intent | null },
  now: number,
): void {
  const { before, after } = intents;
  const running = waterings.running(channelKey);
  const at = Math.min(now, saidAt(report) ?? now);
  if (report.onoff === 1 && !running) {
    const cause = causeOf(after, report);
    waterings.begin(channelKey, { cause, by: cause === "person" ? openerOf(after) : null, at });
  }
  if (report.onoff === 1) {
    const byDevice = report.runUntil === null ? null : report.runUntil - (after?.offsetMs ?? 0);
    const commanded = after?.want === "open" && after.proof !== null;
    waterings.plan(channelKey, { byDevice, byRelay: relayEnd(after), commanded });
  }
  if (report.onoff === 2 && running) {
    const channel = state.get(channelKey);
    const moisture = {
      now: typeof channel?.moisture === "number" ? channel.moisture : null,
      upperBound: upperBoundOf(channel?.modes),
    };
    const unseen = waterings.unseenFor(channelKey);
    const reason = endReasonOf(before, running.cause, report, moisture, unseen);
    waterings.end(channelKey, reason, at, askedBy(before));
  }
}

/** Return the kind of a person's close that was pending; undefined without one. */
function askedBy(intent: Intent | null): AskedEnd | undefined {
  if (intent?.want !== "close" || intent.why !== "pressed") return undefined;
  return intent.withdrawal ? "withdrawn" : "pressed";
}

/**
 * Return the person who commanded the opening that a report shows. For an opening after its close, that is
 * the command from before the close.
 */
function openerOf(intent: Intent | null): Actor | null {
  if (intent === null) return null;
  return (intent.want === "close" ? intent.earlierOpens?.press?.by : null) ?? intent.by;
}

function upperBoundOf(modes: unknown): number | null {
  if (typeof modes !== "object" || modes === null || !("automatic" in modes)) return null;
  const { automatic } = modes;
  if (typeof automatic !== "object" || automatic === null || !("upperBound" in automatic)) return null;
  return typeof automatic.upperBound === "number" ? automatic.upperBound : null;
}
