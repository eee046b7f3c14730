import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes } from "@mulkko/shared/entities/log-entry";
import { type ChannelValue, LiveReading } from "@mulkko/shared/live/devices";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { contactTime } from "@mulkko/shared/rules/presence";
import { Quality, worseQuality } from "@mulkko/shared/rules/quality";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import type { Metrics } from "../runtime/metrics.ts";
import { changedFields } from "../store/json.ts";
import type { StateValue } from "../store/streams.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { AccountState } from "./account-state.ts";
import { type ChannelReport, isNewer, isOvertaken, passing, type Seen, seeing } from "./channel-report.ts";
import type { DeviceIndex } from "./device-index.ts";
import type { ChannelState } from "./normalise-channel.ts";
import type { Reading, ReadingSource } from "./normalise-reading.ts";
import type { TimeAhead } from "./time-ahead.ts";

/**
 * The displayed state of a sensor after a reading: the newest value of each field, with the times of older
 * ones.
 */
interface ShownReading {
  readonly reading: LiveReading;
  readonly fieldTimes: FieldTimes | null;
}

/**
 * Keep the value and the time of each field that a newer reading lacks.
 * @param known the sensor's value before the reading
 * @param readAt time of the reading, ms UTC: a field of a clock that was ahead is not newer
 */
export function withEarlierFields(
  { values, fieldTimes }: Pick<Reading, "values" | "fieldTimes">,
  known: StateValue,
  readAt = Number.POSITIVE_INFINITY,
): ShownReading {
  const shown = { reading: values, fieldTimes };
  // Most readings contain every field: checking the known one each time took a quarter of a reading's cost.
  if (isComplete(values, known.reading)) return shown;
  const before = parse(LiveReading, known.reading);
  const at = parse(Instant, known.at);
  if (!before.ok || !at.ok) return shown;
  const timesBefore = parse(FieldTimes, known.fieldTimes);
  const reading: Record<string, LiveReading[string]> = { ...values };
  const times: Record<string, string> = { ...fieldTimes };
  for (const [name, value] of Object.entries(before.value)) {
    if (value === null || (reading[name] ?? null) !== null) continue;
    if (isFieldName(name)) {
      reading[name] = value;
      const time = (timesBefore.ok ? timesBefore.value[name] : undefined) ?? at.value;
      if (Date.parse(time) < readAt) times[name] = time;
    } else if (name === "rssi" || name === "fwversion") {
      reading[name] = value;
    }
  }
  return { reading, fieldTimes: Object.keys(times).length === 0 ? null : times };
}

/** True if a reading has a value for every field that an earlier one had. */
function isComplete(values: LiveReading, before: unknown): boolean {
  return Object.entries(before ?? {}).every(
    ([name, value]) => value === null || (values[name] ?? null) !== null,
  );
}

interface DeviceHandlerDeps {
  readonly state: AccountState;
  readonly deviceIndex: Pick<DeviceIndex, "channels" | "channelsOf">;
  readonly clock: Clock;
  readonly times: TimeAhead;
  readonly upstreamClock: Pick<UpstreamClock, "noteLog" | "forget" | "offsetMs">;
  readonly metrics: Pick<Metrics, "sourceMessage">;
}

/** SUB-8: minimum gap between two updates of `heardAt` if nothing else changed, ms. */
const CONTACT_EVERY_MS = 5_000;
/** ms after its measurement from which a reading does not count for its device's rhythm (ONL-2). */
const LATE_READING_MS = 120_000;
/** Difference of two times up to which they are of one clock, ms: a list has whole seconds. */
const ONE_TIME_MS = 2_000;
/** Difference between the API's time of an arrival and the relay's, ms, from which the relay's counts. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();
const instantAt = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number.NEGATIVE_INFINITY;

/** A reading whose time is known. */
type DatedReading = Reading & { readonly at: number; readonly heardAt: number };

/** True for the first message of a report that the farm API has just received from the device. */
const isLiveReport = ({ isLive, arrival }: ChannelReport, last: Seen | null): boolean =>
  isLive && arrival !== null && arrival > (last?.report.arrival ?? Number.NEGATIVE_INFINITY);

/** Return the mark of a wrong clock to show, where there is one or was one. */
const clockFault = (
  { clockWrongSince }: Pick<ChannelState, "clockWrongSince">,
  known: StateValue | undefined,
): { clockWrongSince?: string | null } => {
  const since = iso(clockWrongSince);
  return since !== null || known?.clockWrongSince != null ? { clockWrongSince: since } : {};
};

/**
 * Applies readings and channel states to the account's keys, its devices' presence and its valves' reports.
 */
export class DeviceHandler {
  readonly #deps: DeviceHandlerDeps;
  readonly #newest = new Map<string, Seen>();
  /**
   * The channels that were not read or received since values could arrive again (LINK-3), or since reads of them began
   * to fail (POLL-7).
   */
  readonly #unread = new Set<string>();
  /** The newest polled log of each sensor, ms UTC. */
  readonly #logged = new Map<string, number>();
  /** Number of each sensor's newest reading, where the API numbers them (ORD-1). */
  readonly #numbered = new Map<string, number>();
  /** Time of the last row of each source of a sensor's readings, ms UTC. */
  readonly #rows = new Map<string, Partial<Record<ReadingSource, number>>>();
  /** The last row without a readable time of each sensor, and its arrival, ms UTC. */
  readonly #undated = new Map<string, { readonly content: string; readonly at: number }>();

  constructor(deps: DeviceHandlerDeps) {
    this.#deps = deps;
    const { state: account, deviceIndex, times, upstreamClock } = this.#deps;
    account.on("sourceBack", () => {
      for (const key of deviceIndex.channels.keys()) this.#unread.add(key);
    });
    account.on("channelUnread", (key) => {
      const deviceKey = deviceIndex.channels.get(key)?.deviceKey;
      if (deviceKey === undefined || !account.get(key) || this.#unread.has(key)) return;
      this.#unread.add(key);
      const quality = parse(Quality, account.get(deviceKey)?.quality);
      account.patch(key, { quality: this.#qualityOfChannel(key, quality.ok ? quality.value : null) });
    });
    account.on("presenceChanged", ({ key, quality, heardAt, flip }) => {
      const known = account.get(key);
      if (!known) return;
      const behind = heardAt !== null && heardAt > instantAt(known.heardAt);
      account.patch(key, { quality, ...(behind && { heardAt: iso(heardAt) }) });
      for (const channel of deviceIndex.channelsOf(key))
        if (account.get(channel))
          account.patch(channel, { quality: this.#qualityOfChannel(channel, quality) });
      if (flip) {
        const value = parse(LiveReading, known.reading);
        account.event({
          kind: "flip",
          at: new Date(flip.at).toISOString(),
          key,
          online: flip.online,
          last: iso(flip.last),
          ...(value.ok && { value: value.value }),
        });
      }
    });
    account.on("deviceGone", (key) => {
      this.#newest.delete(key);
      this.#unread.delete(key);
      for (const name of ["", " at", " heardAt"]) times.forget(`${key}${name}`);
      const named = parseDeviceKey(key);
      if (named?.kind !== "sensor") return;
      for (const known of [this.#numbered, this.#rows, this.#undated]) known.delete(named.id);
      this.#logged.delete(named.id);
      upstreamClock.forget(named.id);
    });
  }

  /** Apply a sensor's reading; true if it is new. */
  reading(sensorId: string, received: Reading): boolean {
    const { state: account, times } = this.#deps;
    const key = sensorKey(sensorId);
    const known = account.get(key);
    if (!known) return false;
    const said = this.#dated(sensorId, received);
    const isUndated = received.at === null;
    if (said.via === "poll" && !isUndated) this.#noteLag(sensorId, said.at);
    const { at, isAhead } = times.effectiveTime(key, said.at);
    const reading = isAhead ? { ...said, at, heardAt: Math.min(said.heardAt, this.#deps.clock.now()) } : said;
    if (isAhead) this.#deps.metrics.sourceMessage(reading.via, "ahead");
    const isMarked = isAhead || isUndated;
    const stored = instantAt(known.at);
    const before = times.isPossible(stored) ? stored : Number.NEGATIVE_INFINITY;
    const numberBefore = this.#numbered.get(sensorId);
    const isNew = this.#isNewReading(sensorId, reading, before, known.via);
    // The API has just received it from the device.
    const isLive =
      reading.via === "mqtt" && reading.arrival !== null && reading.arrival > (numberBefore ?? 0);
    const lateness = reading.via === "mqtt" && !isLive ? reading.heardAt - reading.at : 0;
    const late = lateness > LATE_READING_MS;
    const reportedAt = isLive ? this.#receivedAt(reading.heardAt) : contactTime(reading);
    if (isNew || reading.via === "mqtt") account.emit("readingReceived", sensorId, reading.at);
    if (isNew) {
      const previously = instantAt(known.heardAt);
      const isContactNewer = isLive || !times.isPossible(previously) || reportedAt > previously;
      const since = iso(reading.clockWrongSince);
      account.patch(key, {
        ...withEarlierFields(reading, known, reading.at),
        at: iso(reading.at),
        heardAt: isContactNewer ? iso(reportedAt) : iso(previously),
        via: reading.via,
        ...(isMarked || known.timeAhead === true ? { timeAhead: isMarked } : {}),
        ...(since !== null || known.clockWrongSince != null ? { clockWrongSince: since } : {}),
      });
    } else if (reading.via === "mqtt" && reportedAt > instantAt(known.heardAt)) {
      this.#updateHeardAt(key, reportedAt);
    }
    if (isNew || reading.via === "mqtt")
      account.emit("deviceReported", key, {
        heardAt: reportedAt,
        regular: isNew && !late,
        isLive,
        ...(!isMarked && reportedAt === contactTime(reading) && { backAt: reading.backAt }),
        aheadMs: isMarked || reportedAt !== contactTime(reading) ? 0 : this.#deps.upstreamClock.offsetMs,
        // A COT sensor's channels confirm their state without a new reading.
        measuredAt:
          this.#deps.deviceIndex.channelsOf(key).length > 0 ? null : this.#measuredAt(reading, isMarked),
      });
    if (reading.via === "poll") account.emit("deviceAnswered", key);
    this.#countPolled(reading.via, isNew);
    return isNew;
  }

  /** Apply a channel's state; true if it is new. `place` is the place of the channel. */
  channel(key: string, said: ChannelState): boolean {
    const { state: account } = this.#deps;
    const known = account.get(key);
    const deviceKey = this.#deps.deviceIndex.channels.get(key)?.deviceKey;
    if (!known || deviceKey === undefined) return false;
    const last = this.#newest.get(key) ?? null;
    const isLive = isLiveReport(said.report, last);
    const bounded = this.#timely(key, said.report);
    const report =
      isLive && bounded.heardAt !== null
        ? { ...bounded, heardAt: this.#receivedAt(bounded.heardAt) }
        : bounded;
    if (last === null && isOvertaken(report, instantAt(known.heardAt))) {
      // Where the farm API's clock was set back, it may be news: the channel is read.
      account.emit("channelDue", key, 0);
      return false;
    }
    const state = { ...said, report };
    const current = isNewer(report, last, this.#deps.times.isPossible);
    this.#unitReported(deviceKey, key, state, current);
    let isNew = false;
    if (current) {
      this.#newest.set(key, seeing(report, this.#deps.clock.now(), last));
      const shown: Partial<ChannelValue> = {
        onoff: report.onoff,
        modes: state.modes,
        ...(state.moisture !== undefined && { moisture: state.moisture }),
        ...(state.limit !== null && { limit: state.limit }),
        ...clockFault(state, known),
      };
      isNew = changedFields(known, shown) !== null;
      const reported = { at: iso(report.at), heardAt: iso(report.heardAt) };
      if (isNew) account.patch(key, { ...shown, ...reported });
      else if (report.heardAt !== null) this.#updateHeardAt(key, report.heardAt, reported);
    } else {
      const passed = passing(report, last);
      if (passed) this.#newest.set(key, passed);
    }
    if (report.heardAt !== null) {
      const aheadMs = report.heardAt === said.report.heardAt ? this.#deps.upstreamClock.offsetMs : 0;
      account.emit("deviceReported", deviceKey, {
        ...{ heardAt: report.heardAt, regular: current },
        ...{ isLive, aheadMs },
      });
      if (report.via === "poll") account.emit("deviceAnswered", deviceKey);
    }
    if (this.#unread.delete(key)) {
      const quality = parse(Quality, account.get(deviceKey)?.quality);
      account.patch(key, { quality: quality.ok ? quality.value : null });
    }
    account.emit("channelReported", key, report);
    if (report.via === "mqtt") {
      account.emit("controllerReceived", deviceKey.slice(deviceKey.indexOf(":") + 1));
    }
    this.#countPolled(report.via, isNew);
    return isNew;
  }

  moisture(key: string, moisture: number | null): void {
    const { state: account } = this.#deps;
    if (account.get(key)) account.patch(key, { moisture });
  }

  /** Record a device's last report according to its log (ms UTC). */
  reported(deviceKey: string, said: number): void {
    const { state: account } = this.#deps;
    const { at: heardAt, isAhead } = this.#deps.times.effectiveTime(`${deviceKey} log`, said);
    this.#updateHeardAt(deviceKey, heardAt);
    const aheadMs = isAhead ? 0 : this.#deps.upstreamClock.offsetMs;
    account.emit("deviceReported", deviceKey, { heardAt, regular: true, aheadMs });
    account.emit("deviceAnswered", deviceKey);
  }

  /**
   * Return true if a reading is newer than the sensor's value (ORD-1): by the API's number; else by its time, or
   * because its source has gone back to an earlier time, which a clock that was set back does (ORD-6).
   */
  #isNewReading(sensorId: string, reading: DatedReading, before: number, via: unknown): boolean {
    const { at, arrival, source } = reading;
    const number = this.#numbered.get(sensorId);
    const row = this.#rows.get(sensorId)?.[source];
    if (source !== "mqtt") this.#rows.set(sensorId, { ...this.#rows.get(sensorId), [source]: at });
    if (arrival !== null) this.#numbered.set(sensorId, Math.max(arrival, number ?? 0));
    // A polled time has whole seconds: the same message received by MQTT is not new.
    const second = Math.floor(at / 1_000) * 1_000;
    const isLater = at > before && !(via === "poll" && second === before);
    if (arrival !== null && number !== undefined) return arrival > number || (arrival === number && isLater);
    // The first answer since the start of the relay shows the API's newest reading, whatever its time.
    if (arrival !== null && reading.via === "poll") return second !== Math.floor(before / 1_000) * 1_000;
    const wentBack = row !== undefined && at < row && before >= row;
    return isLater || wentBack;
  }

  /** Date a reading without a readable time by its first arrival: the same row again is no other reading. */
  #dated(sensorId: string, reading: Reading): DatedReading {
    if (reading.at !== null) return { ...reading, at: reading.at, heardAt: reading.heardAt ?? reading.at };
    const content = JSON.stringify(reading.values);
    const known = this.#undated.get(sensorId);
    const at = known?.content === content ? known.at : this.#deps.clock.now();
    this.#undated.set(sensorId, { content, at });
    return { ...reading, at, heardAt: at };
  }

  /** Record the lag before the device is judged, so that a wrong clock makes no device offline. */
  #noteLag(sensorId: string, at: number): void {
    const before = this.#logged.get(sensorId);
    if (before !== undefined && at <= before) return;
    this.#deps.upstreamClock.noteLog(sensorId, this.#deps.clock.now() - at, before !== undefined);
    this.#logged.set(sensorId, at);
  }

  #countPolled(via: "mqtt" | "poll", isNew: boolean): void {
    if (via === "poll") this.#deps.metrics.sourceMessage("poll", isNew ? "changed" : "same");
  }

  #qualityOfChannel(key: string, ofDevice: Quality | null): Quality | null {
    return this.#unread.has(key) ? worseQuality(ofDevice, "late") : ofDevice;
  }

  /** Treat a report with an impossible time as one of its arrival. */
  #timely(key: string, report: ChannelReport): ChannelReport {
    const bounded = (name: string, at: number | null): number | null => {
      if (at === null) return null;
      const taken = this.#deps.times.effectiveTime(`${key} ${name}`, at);
      if (taken.isAhead) this.#deps.metrics.sourceMessage(report.via, "ahead");
      return taken.at;
    };
    const at = bounded("at", report.at);
    // The end of a run is by the clock of its report (ORD-7).
    const ahead = at === null || report.at === null ? 0 : report.at - at;
    const runUntil = report.runUntil === null ? null : report.runUntil - ahead;
    return { ...report, at, runUntil, heardAt: bounded("heardAt", report.heardAt) };
  }

  /** Return the contact of a live message: the API's time of its arrival, or the relay's where their clocks differ. */
  #receivedAt(heardAt: number): number {
    const now = this.#deps.clock.now();
    return Math.abs(now - heardAt) > CLOCKS_DIFFER_MS ? now : heardAt;
  }

  /**
   * Return the time of a measurement by the relay's clock, ms UTC. A row that was polled, or whose time is that of its
   * arrival, has a time of the API's clock; another one that of its device.
   */
  #measuredAt({ at, heardAt, via }: DatedReading, isMarked: boolean): number {
    const isOfApi = !isMarked && (via === "poll" || Math.abs(heardAt - at) < ONE_TIME_MS);
    return isOfApi ? at - this.#deps.upstreamClock.offsetMs : at;
  }

  #updateHeardAt(key: string, heardAt: number, fields: Readonly<Record<string, unknown>> = {}): void {
    const { state: account } = this.#deps;
    const known = account.get(key);
    const before = instantAt(known?.heardAt);
    if (
      known &&
      heardAt - (this.#deps.times.isPossible(before) ? before : Number.NEGATIVE_INFINITY) >= CONTACT_EVERY_MS
    ) {
      account.patch(key, { heardAt: iso(heardAt), ...fields });
    }
  }

  /**
   * Apply a channel's report to its unit: a controller, or a COT sensor, whose reading contains the rest. A
   * late report reverts nothing.
   */
  #unitReported(deviceKey: string, key: string, state: ChannelState, current: boolean): void {
    const { state: account } = this.#deps;
    const { heardAt } = state.report;
    if (!account.get(deviceKey)) return;
    if (current) {
      if (deviceKey.startsWith("controller:")) {
        account.patch(deviceKey, {
          ...(state.rssi !== null && { rssi: state.rssi }),
          ...(state.fwversion !== null && { fwversion: state.fwversion }),
        });
      }
      const fault = clockFault(state, account.get(deviceKey));
      if (fault.clockWrongSince !== undefined) account.patch(deviceKey, fault);
      // Only a channel's report contains its link state (ONL-2).
      if (state.link !== null) {
        account.patch(deviceKey, { link: state.link });
        // Lost are all of them; but a connection that is back says nothing of a valve that has not reported (LINK-3).
        const concerned = state.link === "lost" ? this.#deps.deviceIndex.channelsOf(deviceKey) : [key];
        const link = state.isBeforeLoss ? "lost" : state.link;
        for (const channel of concerned) if (account.get(channel)) account.patch(channel, { link });
      }
    }
    if (heardAt !== null) this.#updateHeardAt(deviceKey, heardAt);
  }
}
