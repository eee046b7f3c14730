import { type ChannelValue, LiveReading } from "@mulkko/shared/live/devices";
import { sensorKey } from "@mulkko/shared/live/keys";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parse } from "@mulkko/shared/schema/parse";
import { changedFields } from "../core/diff.ts";
import type { ChannelState } from "../core/normalise-channel.ts";
import type { Reading } from "../core/normalise-reading.ts";
import { isNewer, type Seen } from "../core/report-order.ts";
import type { ValveDesk } from "../ports/valves.ts";
import type { AccountWriter } from "../ports/writer.ts";
import type { PresenceChange, PresenceWatch } from "./presence-watch.ts";

/** Where readings and channel states become the account's keys, its devices' presence and its valves' reports. */
export interface DeviceIntake {
  /** A sensor's reading; true if it is news. */
  reading(sensorId: string, reading: Reading): boolean;
  /** A channel's state; true if it is news. `place` says whose channel it is. */
  channel(key: string, state: ChannelState): boolean;
  moisture(key: string, moisture: number | null): void;
  /** A device was heard, by what its log says (ms UTC). */
  heard(deviceKey: string, heardAt: number): void;
  presence(change: PresenceChange): void;
  forget(key: string): void;
}

export interface IntakeParts {
  readonly writer: AccountWriter;
  readonly watch: PresenceWatch;
  readonly desk: ValveDesk;
  readonly clock: Clock;
  /** Told of every reading of a known sensor that is news, and of each late one. */
  readonly onReading: (sensorId: string, at: number) => void;
  /** Channel keys of a device, to which its quality and its link go on. */
  readonly channelsOf: (deviceKey: string) => readonly string[];
  /** The device that a channel belongs to. */
  readonly deviceOf: (channelKey: string) => string | undefined;
}

/** SUB-8: ms between two moves of `heardAt` where nothing else changed. */
const HEARD_EVERY_MS = 60_000;
/** ms after its measurement from which a reading says nothing of its device's rhythm (ONL-2). */
const LATE_READING_MS = 120_000;

const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString();
const instantAt = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number.NEGATIVE_INFINITY;

export function createDeviceIntake(parts: IntakeParts): DeviceIntake {
  const { writer, watch, clock } = parts;
  const newest = new Map<string, Seen>();

  const touch = (key: string, heardAt: number, fields: Readonly<Record<string, unknown>> = {}): void => {
    const known = writer.get(key);
    if (known && heardAt - instantAt(known.heardAt) >= HEARD_EVERY_MS) {
      writer.patch(key, { heardAt: iso(heardAt), ...fields });
    }
  };

  /** A channel speaks for the box it sits in: a controller, or a COT sensor, whose reading says the rest. A late one moves nothing back. */
  const heardBox = (deviceKey: string, state: ChannelState, current: boolean): void => {
    const { heardAt } = state.report;
    if (!writer.get(deviceKey)) return;
    if (current && deviceKey.startsWith("controller:")) {
      writer.patch(deviceKey, {
        ...(state.rssi !== null && { rssi: state.rssi }),
        ...(state.fwversion !== null && { fwversion: state.fwversion }),
        ...(state.link !== null && { link: state.link }),
      });
      // A channel alone says how far it can be believed (ONL-2).
      if (state.link !== null) {
        for (const channel of parts.channelsOf(deviceKey))
          if (writer.get(channel)) writer.patch(channel, { link: state.link });
      }
    }
    if (heardAt !== null) touch(deviceKey, heardAt);
  };

  return {
    reading(sensorId, reading) {
      const key = sensorKey(sensorId);
      const known = writer.get(key);
      if (!known) return false;
      const before = instantAt(known.at);
      // A polled time has whole seconds: the message that it stands for is no news.
      const polledBefore = known.via === "poll" && Math.floor(reading.at / 1_000) * 1_000 === before;
      const news = reading.at > before && !polledBefore;
      const late = reading.via === "mqtt" && reading.heardAt - reading.at > LATE_READING_MS;
      if (news || reading.via === "mqtt") parts.onReading(sensorId, reading.at);
      if (news) {
        const heardAt = Math.max(reading.heardAt, instantAt(known.heardAt));
        writer.patch(key, {
          reading: reading.values,
          at: iso(reading.at),
          heardAt: iso(heardAt),
          via: reading.via,
        });
      } else if (reading.via === "mqtt" && reading.heardAt > instantAt(known.heardAt)) {
        touch(key, reading.heardAt);
      }
      if (news || reading.via === "mqtt")
        watch.heard(key, { heardAt: reading.heardAt, regular: news && !late });
      if (reading.via === "poll") watch.answered(key);
      return news;
    },

    channel(key, state) {
      const known = writer.get(key);
      const deviceKey = parts.deviceOf(key);
      if (!known || deviceKey === undefined) return false;
      const { report } = state;
      const last = newest.get(key) ?? null;
      const current = isNewer(report, last);
      heardBox(deviceKey, state, current);
      let news = false;
      if (current) {
        newest.set(key, { report, arrivedAt: clock.now() });
        const shown: Partial<ChannelValue> = {
          onoff: report.onoff,
          modes: state.modes,
          ...(state.moisture !== undefined && { moisture: state.moisture }),
          ...(state.limit !== null && { limit: state.limit }),
        };
        news = changedFields(known, shown) !== null;
        const times = { at: iso(report.at), heardAt: iso(report.heardAt) };
        if (news) writer.patch(key, { ...shown, ...times });
        else if (report.heardAt !== null) touch(key, report.heardAt, times);
      }
      if (report.heardAt !== null) watch.heard(deviceKey, { heardAt: report.heardAt, regular: current });
      if (report.via === "poll" && report.heardAt !== null) watch.answered(deviceKey);
      parts.desk.report(key, report);
      if (report.via === "mqtt") parts.desk.heard(deviceKey.slice(deviceKey.indexOf(":") + 1));
      return news;
    },

    moisture(key, moisture) {
      if (writer.get(key)) writer.patch(key, { moisture });
    },

    heard(deviceKey, heardAt) {
      touch(deviceKey, heardAt);
      watch.heard(deviceKey, { heardAt, regular: true });
      watch.answered(deviceKey);
    },

    presence({ key, quality, heardAt, flip }) {
      const known = writer.get(key);
      if (!known) return;
      const behind = heardAt !== null && heardAt > instantAt(known.heardAt);
      writer.patch(key, { quality, ...(behind && { heardAt: iso(heardAt) }) });
      for (const channel of parts.channelsOf(key))
        if (writer.get(channel)) writer.patch(channel, { quality });
      if (flip) {
        const at = new Date(clock.now()).toISOString();
        const value = parse(LiveReading, known.reading);
        writer.event({
          kind: "flip",
          at,
          key,
          online: flip.online,
          last: iso(flip.last),
          ...(value.ok && { value: value.value }),
        });
      }
    },

    forget(key) {
      newest.delete(key);
    },
  };
}
