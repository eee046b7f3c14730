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

/**
 * The waterings of an account: begun and ended by channel reports, shown for a day, persisted in the store.
 */
export interface WateringRegistry {
  /** Load the stored waterings, oldest first. */
  load(stored: readonly StoredWatering[]): void;
  running(channelKey: string): Watering | undefined;
  readonly anyRunning: boolean;
  /** Return those on the screens, including what the store may not have yet. */
  shown(): Iterable<StoredWatering>;
  begin(channelKey: string, beginning: Beginning): void;
  /** Note that the device reported running water at `at` (ms UTC). */
  saw(channelKey: string, at: number): void;
  /**
   * Note when the run ends, ms UTC, by the device's own report; otherwise when the relay closes the valve. Null
   * where neither does.
   */
  plan(channelKey: string, end: PlannedEnd): void;
  /** Return the ms since running water was last checked; 0 where none runs. */
  unseenFor(channelKey: string): number;
  /**
   * End the channel's watering.
   * @param asked the kind of a person's close that was pending
   */
  end(channelKey: string, reason: NonNullable<Watering["endReason"]>, at: number, asked?: AskedEnd): void;
  close(): void;
}

/** A person's close before the end of a watering, pressed or by the withdrawal of its opening (CMD-12). */
type AskedEnd = "pressed" | "withdrawn";

const endedAt = ({ watering }: StoredWatering): number =>
  watering.end === null ? Number.POSITIVE_INFINITY : Date.parse(watering.end);

export function createWateringRegistry(deps: {
  writer: AccountWriter;
  durable: DocumentWriter;
  time: StoreTime;
  log: Log;
  newId: () => string;
  settings: Pick<ValveSettings, "flowSensorOf" | "largestFlowOf">;
  past: Pick<WateringPast, "moistureOf" | "meterReadings">;
}): WateringRegistry {
  const { writer, durable, time, log, newId, settings, past } = deps;
  const shown = new Map<string, StoredWatering>();
  const running = new Map<string, StoredWatering>();
  const missingSince = new Map<string, number>();
  const asked = new Map<string, number>();
  /** Waterings whose meter's log is being read. */
  const measuring = new Set<string>();
  /** Time of the last read of that log, and of the meter's newest reading then, ms UTC. */
  const measuredAt = new Map<string, { at: number; live: number }>();
  let sweeping: { cancel(): void } | null = null;
  let closed = false;

  const moistureOf = (channelKey: string): number | null => {
    const moisture = writer.get(channelKey)?.moisture;
    return typeof moisture === "number" ? moisture : null;
  };
  const meterOf = (channelKey: string): MeterStart | null => {
    const sensorId = settings.flowSensorOf(channelIdOf(channelKey));
    const reading = sensorId === null ? null : meterReading(writer.get(sensorKey(sensorId)));
    return sensorId === null || reading === null ? null : { sensorId, litres: reading.litres };
  };
  const drop = (id: string): void => {
    shown.delete(id);
    asked.delete(id);
    measuredAt.delete(id);
    writer.del(`watering:${id}`);
  };
  const show = (stored: StoredWatering): void => {
    const { watering, channelKey } = stored;
    shown.set(watering.id, stored);
    if (watering.end === null) running.set(channelKey, stored);
    else if (running.get(channelKey)?.watering.id === watering.id) running.delete(channelKey);
    writer.set(`watering:${watering.id}`, watering);
    for (const [id, { watering: old }] of shown) {
      if (shown.size <= SHOWN_AT_MOST) break;
      if (old.end !== null) drop(id);
    }
    sweepLater();
  };
  const keep = (stored: StoredWatering): void => {
    const { watering } = stored;
    // The writer itself tries again after a failure of the store.
    void durable.put([putDated(WATERINGS, watering.id, Date.parse(watering.start), stored)]);
  };
  const put = (stored: StoredWatering, isAnnounced: boolean): void => {
    show(stored);
    const { watering } = stored;
    if (isAnnounced) writer.event({ kind: "watering", at: watering.end ?? watering.start, watering });
    keep(stored);
  };
  const finish = (
    stored: StoredWatering,
    endReason: NonNullable<Watering["endReason"]>,
    { end: at, confirmedAt }: WateringEnd,
    isWithdrawn = false,
  ): void => {
    const { plannedEnd: _, runEnd: __, ...watering } = stored.watering;
    const end = instant(Math.max(at, Date.parse(watering.start)));
    const confirmed = confirmedAt === null ? {} : { confirmedAt: instant(confirmedAt) };
    const withdrawn = isWithdrawn ? { withdrawn: true as const } : {};
    put({ ...stored, watering: { ...watering, end, endReason, ...confirmed, ...withdrawn } }, true);
  };
  const plannedEndOf = ({ watering: { plannedEnd } }: StoredWatering): number | null =>
    plannedEnd ? Date.parse(plannedEnd) : null;
  const lastSeen = ({ seenAt, watering }: StoredWatering): number => seenAt ?? Date.parse(watering.start);

  /** End a watering whose channel was removed, or whose device has been silent for more than a day. */
  const sweepRunning = (stored: StoredWatering, now: number): void => {
    const { channelKey, watering } = stored;
    const present = writer.get(channelKey) !== undefined;
    if (present) missingSince.delete(watering.id);
    else if (!missingSince.has(watering.id)) missingSince.set(watering.id, now);
    const gone = !present && now - (missingSince.get(watering.id) ?? now) >= GONE_MS && isListed();
    if (!gone && now - lastSeen(stored) < LOST_MS) return;
    missingSince.delete(watering.id);
    // A deleted valve was closed with it. A valve silent for a day closed at its planned end.
    const end = gone ? lastSeen(stored) : (plannedEndOf(stored) ?? lastSeen(stored));
    finish(stored, "lost", { end, confirmedAt: null });
  };
  /** Return true once the account's lists were read. Until then no channel is known. */
  const isListed = (): boolean => {
    for (const key of writer.keys()) if (!key.startsWith("watering:")) return true;
    return false;
  };
  /** Complete the record of an ended watering with the data known by now. */
  const settle = (stored: StoredWatering, now: number): void => {
    const { watering, channelKey, meter } = stored;
    const age = now - endedAt(stored);
    let next = stored;
    if (meter !== undefined) askMeter(stored, meter.sensorId, now);
    if (watering.moistureAfter === null && age >= AFTER_MS && age < AFTER_MS + AFTER_LATE_MS) {
      next = { ...next, watering: { ...next.watering, moistureAfter: moistureOf(channelKey) } };
    }
    if (next !== stored && JSON.stringify(next) !== JSON.stringify(stored)) put(next, false);
    else if (isPastDue(stored, now)) askPast(stored, now);
  };
  const runOf = (stored: StoredWatering): MeterRun => {
    const { confirmedAt, start } = stored.watering;
    return {
      channel: stored.channelKey,
      from: Date.parse(start),
      to: endedAt(stored),
      largestFlow: settings.largestFlowOf(channelIdOf(stored.channelKey)),
      ...(confirmedAt !== undefined && { confirmedAt: Date.parse(confirmedAt) }),
    };
  };
  /** Return the other runs that the same meter measures. */
  const sharing = (own: StoredWatering, sensorId: string): MeterRun[] =>
    [...shown.values()]
      .filter(
        ({ channelKey, watering, meter }) =>
          watering.id !== own.watering.id &&
          (meter?.sensorId ?? settings.flowSensorOf(channelIdOf(channelKey))) === sensorId,
      )
      .map(runOf);
  /** Return true if the meter has reported since the last read of its log, or its log is due without that. */
  const isMeterDue = (id: string, end: number, live: MeterReading | null, now: number): boolean => {
    const last = measuredAt.get(id);
    if (live !== null && live.at >= end + SETTLE_MS && live.at > (last?.live ?? 0)) return true;
    return now >= Math.max(end + AFTER_MS, (last?.at ?? 0) + METER_LOG_EVERY_MS);
  };
  /** Read the meter's log once the meter has stood still after the end (WAT-5). */
  const askMeter = (stored: StoredWatering, sensorId: string, now: number): void => {
    const { id } = stored.watering;
    const run = runOf(stored);
    const live = meterReading(writer.get(sensorKey(sensorId)));
    if (measuring.has(id) || !isMeterDue(id, run.to, live, now)) return;
    measuring.add(id);
    measuredAt.set(id, { at: now, live: live?.at ?? 0 });
    const longest = run.to + METER_WAIT_MS;
    const measured = (water: MeteredWater): void => {
      measuring.delete(id);
      const current = shown.get(id);
      if (closed || current?.meter === undefined) return;
      if (water.kind === "wait" && now < Math.min(water.until, longest)) return;
      measuredAt.delete(id);
      const { meter: _, ...settled } = current;
      const litres = water.kind === "measured" ? water.litres : null;
      const isShared = water.kind === "measured" && water.isShared;
      const watering = { ...current.watering, litres, ...(isShared && { litresShared: true }) };
      put({ ...settled, watering }, false);
    };
    past.meterReadings(sensorId, run.from - METER_LOG_MS, Math.min(now, longest)).then(
      (readings) =>
        measured(
          meteredWater(run, live === null ? readings : [...readings, live], sharing(stored, sensorId)),
        ),
      (error: unknown) => {
        log.debug({ event: "meter-log-unreadable", err: error, watering: id }, "cannot read meter's log");
        measured({ kind: "wait", until: longest });
      },
    );
  };
  const isPastDue = ({ watering, channelKey }: StoredWatering, now: number): boolean =>
    watering.moistureAfter === null &&
    now >= Date.parse(watering.end ?? watering.start) + AFTER_MS + AFTER_LATE_MS &&
    (asked.get(watering.id) ?? 0) < PAST_TRIES &&
    writer.get(channelKey) !== undefined;
  /** Read the moisture from the channel's logs: the relay was down when it was due. */
  const askPast = (stored: StoredWatering, now: number): void => {
    const { id } = stored.watering;
    asked.set(id, (asked.get(id) ?? 0) + 1);
    past.moistureOf(stored.channelKey, Math.min(now, endedAt(stored) + AFTER_MS)).then(
      (moistureAfter) => {
        const current = shown.get(id);
        asked.set(id, PAST_TRIES);
        if (closed || moistureAfter === null || current === undefined) return;
        put({ ...current, watering: { ...current.watering, moistureAfter } }, false);
      },
      (error: unknown) =>
        log.debug(
          { event: "past-moisture-unreadable", err: error, watering: id },
          "cannot read past moisture",
        ),
    );
  };
  const sweep = (): void => {
    const now = time.now();
    for (const stored of [...shown.values()]) {
      if (stored.watering.end === null) sweepRunning(stored, now);
      else if (now - endedAt(stored) >= SHOWN_MS) drop(stored.watering.id);
      else settle(stored, now);
    }
  };
  const nextSweepIn = (): number => {
    const now = time.now();
    let next = SWEEP_MS;
    for (const stored of shown.values()) {
      const due = endedAt(stored) + AFTER_MS - now;
      if (due > 0) next = Math.min(next, due);
      const unsettled =
        stored.watering.end !== null &&
        (stored.meter !== undefined ||
          (due <= 0 && stored.watering.moistureAfter === null && isAskable(stored)));
      if (unsettled || missingSince.has(stored.watering.id)) next = Math.min(next, UNSETTLED_MS);
    }
    return next;
  };
  const isAskable = ({ watering }: StoredWatering): boolean => (asked.get(watering.id) ?? 0) < PAST_TRIES;
  function sweepLater(): void {
    sweeping?.cancel();
    sweeping = null;
    if (shown.size === 0 || closed) return;
    sweeping = time.after(nextSweepIn(), () => {
      sweeping = null;
      sweep();
      sweepLater();
    });
  }

  return {
    load(stored) {
      const now = time.now();
      for (const one of stored) if (now - endedAt(one) < SHOWN_MS) show(one);
    },
    running: (channelKey) => running.get(channelKey)?.watering,
    get anyRunning() {
      return running.size > 0;
    },
    shown: () => shown.values(),
    begin(channelKey, { cause, by, at }) {
      const watering: Watering = {
        id: newId(),
        channelId: channelIdOf(channelKey),
        cause,
        by,
        start: instant(at),
        end: null,
        endReason: null,
        moistureBefore: moistureOf(channelKey),
        moistureAfter: null,
        litres: null,
        ...wateringPlace(writer, channelKey),
      };
      const meter = meterOf(channelKey);
      const now = time.now();
      put({ channelKey, watering, ...(meter && { meter }), seenAt: at, lookedAt: now }, true);
    },
    saw(channelKey, at) {
      const stored = running.get(channelKey);
      if (!stored) return;
      const now = time.now();
      const seenAt = Math.max(lastSeen(stored), at);
      const keptAt = stored.lookedAt ?? 0;
      const next = { ...stored, seenAt, lookedAt: now };
      const kept = Math.floor(now / SEEN_EVERY_MS) === Math.floor(keptAt / SEEN_EVERY_MS);
      running.set(channelKey, next);
      shown.set(stored.watering.id, next);
      if (!kept) keep(next);
    },
    plan(channelKey, { byDevice, byRelay, commanded }) {
      const stored = running.get(channelKey);
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
        put({ ...stored, watering: { ...watering, plannedEnd, ...(runEnd && { runEnd }) } }, false);
    },
    unseenFor(channelKey) {
      const stored = running.get(channelKey);
      return stored ? Math.max(0, time.now() - (stored.lookedAt ?? lastSeen(stored))) : 0;
    },
    end(channelKey, reason, at, asked) {
      const stored = running.get(channelKey);
      if (!stored) return;
      const ended = wateringEnd(plannedEndOf(stored), lastSeen(stored), at);
      const isWithdrawn = asked === "withdrawn";
      if (ended.end !== at) finish(stored, asked ? "closed" : "done", ended, isWithdrawn);
      else {
        const end = reason === "lost" ? lastSeen(stored) : at;
        finish(stored, reason, { end, confirmedAt: null }, isWithdrawn);
      }
    },
    close() {
      closed = true;
      sweeping?.cancel();
      sweeping = null;
    },
  };
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
