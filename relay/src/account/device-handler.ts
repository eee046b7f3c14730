import { isFieldName } from "@mulkko/shared/catalogue/fields";
import { FieldTimes } from "@mulkko/shared/entities/log-entry";
import { type ChannelValue, LiveReading } from "@mulkko/shared/live/devices";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parseDeviceKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import { OFFLINE_AT_MOST_MS } from "@mulkko/shared/rules/quality";
import { Instant } from "@mulkko/shared/schema/instant";
import { parse } from "@mulkko/shared/schema/parse";
import type { Metrics } from "../runtime/metrics.ts";
import { changedFields } from "../store/json.ts";
import type { StateValue } from "../store/streams.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { AccountState } from "./account-state.ts";
import { type ChannelReport, isNewer, type Seen } from "./channel-report.ts";
import type { DeviceIndex } from "./device-index.ts";
import type { ChannelState } from "./normalise-channel.ts";
import type { Reading } from "./normalise-reading.ts";
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
 */
export function withEarlierFields({ values, fieldTimes }: Reading, known: StateValue): ShownReading {
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
      times[name] = (timesBefore.ok ? timesBefore.value[name] : undefined) ?? at.value;
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

/**
 * Applies readings and channel states to the account's keys, its devices' presence and its valves' reports.
 */
export interface DeviceHandler {
  /** Apply a sensor's reading; true if it is new. */
  reading(sensorId: string, reading: Reading): boolean;
  /** Apply a channel's state; true if it is new. `place` is the place of the channel. */
  channel(key: string, state: ChannelState): boolean;
  moisture(key: string, moisture: number | null): void;
  /** Record a device's last report according to its log (ms UTC). */
  reported(deviceKey: string, heardAt: number): void;
}

interface DeviceHandlerDeps {
  readonly state: AccountState;
  readonly deviceIndex: Pick<DeviceIndex, "channels" | "channelsOf">;
  readonly clock: Clock;
  readonly times: TimeAhead;
  readonly upstreamClock: Pick<UpstreamClock, "noteLog" | "forget">;
  readonly metrics: Pick<Metrics, "sourceMessage">;
}

/** SUB-8: minimum gap between two updates of `heardAt` if nothing else changed, ms. */
const CONTACT_EVERY_MS = 5_000;
/** ms after its measurement from which a reading does not count for its device's rhythm (ONL-2). */
const LATE_READING_MS = 120_000;

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();
const instantAt = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number.NEGATIVE_INFINITY;

export function createDeviceHandler(deps: DeviceHandlerDeps): DeviceHandler {
  const { state: account, deviceIndex, clock, times, upstreamClock, metrics } = deps;
  const newest = new Map<string, Seen>();
  /** The newest polled log of each sensor, ms UTC. */
  const logged = new Map<string, number>();

  /** Record the lag before the device is judged, so that a wrong clock makes no device offline. */
  const noteLag = (sensorId: string, at: number): void => {
    const before = logged.get(sensorId);
    if (before !== undefined && at <= before) return;
    upstreamClock.noteLog(sensorId, clock.now() - at, before !== undefined);
    logged.set(sensorId, at);
  };
  const countPolled = (via: "mqtt" | "poll", isNew: boolean): void => {
    if (via === "poll") metrics.sourceMessage("poll", isNew ? "changed" : "same");
  };
  /** Treat a report with an impossible time as one of its arrival. */
  const timely = (key: string, report: ChannelReport): ChannelReport => {
    const bounded = (name: string, at: number | null): number | null => {
      if (at === null) return null;
      const taken = times.effectiveTime(`${key} ${name}`, at);
      if (taken.isAhead) metrics.sourceMessage(report.via, "ahead");
      return taken.at;
    };
    return { ...report, at: bounded("at", report.at), heardAt: bounded("heardAt", report.heardAt) };
  };

  const updateHeardAt = (
    key: string,
    heardAt: number,
    fields: Readonly<Record<string, unknown>> = {},
  ): void => {
    const known = account.get(key);
    const before = instantAt(known?.heardAt);
    if (
      known &&
      heardAt - (times.isPossible(before) ? before : Number.NEGATIVE_INFINITY) >= CONTACT_EVERY_MS
    ) {
      account.patch(key, { heardAt: iso(heardAt), ...fields });
    }
  };

  /**
   * Apply a channel's report to its unit: a controller, or a COT sensor, whose reading contains the rest. A
   * late report reverts nothing.
   */
  const unitReported = (deviceKey: string, state: ChannelState, current: boolean): void => {
    const { heardAt } = state.report;
    if (!account.get(deviceKey)) return;
    if (current) {
      if (deviceKey.startsWith("controller:")) {
        account.patch(deviceKey, {
          ...(state.rssi !== null && { rssi: state.rssi }),
          ...(state.fwversion !== null && { fwversion: state.fwversion }),
        });
      }
      // Only a channel's report contains its link state (ONL-2).
      if (state.link !== null) {
        account.patch(deviceKey, { link: state.link });
        for (const channel of deviceIndex.channelsOf(deviceKey))
          if (account.get(channel)) account.patch(channel, { link: state.link });
      }
    }
    if (heardAt !== null) updateHeardAt(deviceKey, heardAt);
  };

  account.on("presenceChanged", ({ key, quality, heardAt, flip }) => {
    const known = account.get(key);
    if (!known) return;
    const behind = heardAt !== null && heardAt > instantAt(known.heardAt);
    account.patch(key, { quality, ...(behind && { heardAt: iso(heardAt) }) });
    for (const channel of deviceIndex.channelsOf(key))
      if (account.get(channel)) account.patch(channel, { quality });
    if (flip) {
      const at = new Date(clock.now()).toISOString();
      const value = parse(LiveReading, known.reading);
      account.event({
        kind: "flip",
        at,
        key,
        online: flip.online,
        last: iso(flip.last),
        ...(value.ok && { value: value.value }),
      });
    }
  });
  account.on("deviceGone", (key) => {
    newest.delete(key);
    for (const name of ["", " at", " heardAt"]) times.forget(`${key}${name}`);
    const named = parseDeviceKey(key);
    if (named?.kind !== "sensor") return;
    logged.delete(named.id);
    upstreamClock.forget(named.id);
  });

  return {
    reading(sensorId, said) {
      const key = sensorKey(sensorId);
      const known = account.get(key);
      if (!known) return false;
      if (said.via === "poll") noteLag(sensorId, said.at);
      const { at, isAhead } = times.effectiveTime(key, said.at);
      const reading = isAhead ? { ...said, at, heardAt: Math.min(said.heardAt, clock.now()) } : said;
      if (isAhead) metrics.sourceMessage(reading.via, "ahead");
      const stored = instantAt(known.at);
      const before = times.isPossible(stored) ? stored : Number.NEGATIVE_INFINITY;
      // A polled time has whole seconds: the same message received by MQTT is not new.
      const polledBefore = known.via === "poll" && Math.floor(reading.at / 1_000) * 1_000 === before;
      const isNew = reading.at > before && !polledBefore;
      const lateness = reading.via === "mqtt" ? reading.heardAt - reading.at : 0;
      const late = lateness > LATE_READING_MS;
      // A reading that a gateway buffered for a week does not bring its device back online: count the
      // measurement's time.
      const reportedAt = lateness > OFFLINE_AT_MOST_MS ? reading.at : reading.heardAt;
      if (isNew || reading.via === "mqtt") account.emit("readingReceived", sensorId, reading.at);
      if (isNew) {
        const previously = instantAt(known.heardAt);
        const heardAt = Math.max(reportedAt, times.isPossible(previously) ? previously : 0);
        account.patch(key, {
          ...withEarlierFields(reading, known),
          at: iso(reading.at),
          heardAt: iso(heardAt),
          via: reading.via,
          ...(isAhead || known.timeAhead === true ? { timeAhead: isAhead } : {}),
        });
      } else if (reading.via === "mqtt" && reportedAt > instantAt(known.heardAt)) {
        updateHeardAt(key, reportedAt);
      }
      if (isNew || reading.via === "mqtt")
        account.emit("deviceReported", key, { heardAt: reportedAt, regular: isNew && !late });
      if (reading.via === "poll") account.emit("deviceAnswered", key);
      countPolled(reading.via, isNew);
      return isNew;
    },

    channel(key, said) {
      const known = account.get(key);
      const deviceKey = deviceIndex.channels.get(key)?.deviceKey;
      if (!known || deviceKey === undefined) return false;
      const state = { ...said, report: timely(key, said.report) };
      const { report } = state;
      const last = newest.get(key) ?? null;
      const current = isNewer(report, last, times.isPossible);
      unitReported(deviceKey, state, current);
      let isNew = false;
      if (current) {
        newest.set(key, { report, arrivedAt: clock.now() });
        const shown: Partial<ChannelValue> = {
          onoff: report.onoff,
          modes: state.modes,
          ...(state.moisture !== undefined && { moisture: state.moisture }),
          ...(state.limit !== null && { limit: state.limit }),
        };
        isNew = changedFields(known, shown) !== null;
        const reported = { at: iso(report.at), heardAt: iso(report.heardAt) };
        if (isNew) account.patch(key, { ...shown, ...reported });
        else if (report.heardAt !== null) updateHeardAt(key, report.heardAt, reported);
      }
      if (report.heardAt !== null) {
        account.emit("deviceReported", deviceKey, { heardAt: report.heardAt, regular: current });
        if (report.via === "poll") account.emit("deviceAnswered", deviceKey);
      }
      account.emit("channelReported", key, report);
      if (report.via === "mqtt") {
        account.emit("controllerReceived", deviceKey.slice(deviceKey.indexOf(":") + 1));
      }
      countPolled(report.via, isNew);
      return isNew;
    },

    moisture(key, moisture) {
      if (account.get(key)) account.patch(key, { moisture });
    },

    reported(deviceKey, said) {
      const { at: heardAt } = times.effectiveTime(`${deviceKey} log`, said);
      updateHeardAt(deviceKey, heardAt);
      account.emit("deviceReported", deviceKey, { heardAt, regular: true });
      account.emit("deviceAnswered", deviceKey);
    },
  };
}
