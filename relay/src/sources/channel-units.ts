import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { valveCode } from "@mulkko/shared/rules/valve";
import { type ChannelState, loggedChannel, polledChannel } from "../core/normalise-channel.ts";
import type { ListedChannel } from "../core/normalise-lists.ts";
import { channelInterval, listInterval, type Pace, type PollIntervals } from "../core/poll-pacing.ts";
import type { DeviceIntake } from "../owner/device-intake.ts";
import type { PresenceWatch } from "../owner/presence-watch.ts";
import type { AccountWriter } from "../ports/writer.ts";
import type { AccountApi, CotRow } from "../upstream/account-api.ts";
import { NoAccessError, UpstreamStatusError } from "../upstream/errors.ts";
import type { PollUnit } from "./poll-units.ts";

export interface ChannelUnitsParts {
  readonly api: AccountApi;
  readonly intake: DeviceIntake;
  readonly watch: PresenceWatch;
  readonly writer: AccountWriter;
  readonly clock: Clock;
  readonly zone: ApiTimeZone;
  readonly pace: (key: string) => Pace;
  readonly intervals: PollIntervals;
  /** The API does not say when a controller was heard: its channels' logs are asked (ONL-1). */
  readonly onSilentController: (deviceKey: string) => void;
  readonly onNews: (news: boolean) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** ms of COT log that are looked through for the newest row. */
const COT_LOG_MS = 26 * HOUR;

export const moistureUnit = (channelKey: string): string => `moisture:${channelKey}`;

/** The units of a channel: its state, named by its key, and on a controller its moisture. */
export function channelUnits(channel: ListedChannel, parts: ChannelUnitsParts): PollUnit[] {
  const { api, intake, writer, clock, zone, intervals } = parts;
  const { key, place, apiId, kind } = channel;
  const isBusy = (): boolean => {
    const value = writer.get(key);
    return value?.onoff === 1 || (value?.command ?? null) !== null || (value?.runUntil ?? null) !== null;
  };
  const hasMode = (): boolean => {
    const modes = writer.get(key)?.modes;
    return typeof modes === "object" && modes !== null && "active" in modes && modes.active !== "none";
  };
  const newestRow = async (askedAt: number, asking: { urgent: boolean }): Promise<CotRow | undefined> => {
    const { start, end } = logRange(zone, askedAt, writer.get(key)?.heardAt);
    return newest(await api.cotLog(place.controllerId, place.number, start, end, asking));
  };
  const fromLog = async (askedAt: number, asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const row = await newestRow(askedAt, asking);
    if (row === undefined) return null;
    const { createdDate, moisture = null, valve } = row;
    return loggedChannel({ createdDate, moisture, valve: valveCode(valve) }, askedAt, zone);
  };
  const state = async (asking: { urgent: boolean }): Promise<ChannelState | null> => {
    const askedAt = clock.now();
    try {
      return polledChannel(await api.refresh(place.serial, apiId, asking), askedAt, zone);
    } catch (error) {
      if (kind === "cot" && error instanceof UpstreamStatusError && error.status === 404) {
        return fromLog(askedAt, asking);
      }
      throw error;
    }
  };
  const interval = (): number =>
    channelInterval(parts.pace(key), { busy: isBusy(), mode: hasMode() }, intervals);
  const units: PollUnit[] = [
    {
      name: key,
      interval,
      stretches: () => !isBusy(),
      urgent: isBusy,
      async ask(asking) {
        const reported = await state(asking);
        if (reported === null) return;
        parts.onNews(intake.channel(key, reported));
        if (kind === "controller" && reported.report.heardAt === null) {
          parts.onSilentController(channel.deviceKey);
        }
      },
      failed(error) {
        if (error instanceof NoAccessError) parts.watch.cannotTell(channel.deviceKey);
        else parts.watch.failed(channel.deviceKey);
      },
    },
  ];
  const moistureOf = async (asking: { urgent: boolean }): Promise<number | null> =>
    kind === "controller"
      ? api.moisture(apiId, asking)
      : ((await newestRow(clock.now(), asking))?.moisture ?? null);
  units.push({
    name: moistureUnit(key),
    interval: () => (kind === "controller" ? interval() : listInterval("list", parts.pace(key), intervals)),
    stretches: () => !isBusy(),
    urgent: () => false,
    ask: async (asking) => intake.moisture(key, await moistureOf(asking)),
  });
  return units;
}

/** A controller's time in front of a plain API: the newest row of its channels' COT logs, else unknown (ONL-1). */
export function controllerLogUnit(
  deviceKey: string,
  channels: () => readonly ListedChannel[],
  parts: ChannelUnitsParts,
  interval: () => number,
): PollUnit {
  const { api, clock, zone, intake, watch } = parts;
  return {
    name: controllerLogName(deviceKey),
    interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const { start, end } = logRange(zone, clock.now(), parts.writer.get(deviceKey)?.heardAt);
      const logs = await Promise.all(
        channels().map(({ place }) => api.cotLog(place.controllerId, place.number, start, end, asking)),
      );
      const times = logs.flat().flatMap((row) => zone.toInstant(row.createdDate) ?? []);
      if (times.length === 0) watch.cannotTell(deviceKey);
      else
        intake.heard(
          deviceKey,
          times.reduce((a, b) => Math.max(a, b)),
        );
    },
    failed: () => watch.cannotTell(deviceKey),
  };
}

export const controllerLogName = (deviceKey: string): string => `log:${deviceKey}`;

/** The part of a COT log that may hold a newer row than the one last seen. Range parameters have minutes. */
function logRange(zone: ApiTimeZone, now: number, heardAt: unknown): { start: string; end: string } {
  const known = typeof heardAt === "string" ? Date.parse(heardAt) : 0;
  const from = Math.max(now - COT_LOG_MS, Math.min(now, known) - MINUTE);
  return { start: zone.toApi(from).slice(0, 16), end: zone.toApi(now + HOUR).slice(0, 16) };
}

const newest = <Row extends { createdDate: string }>(rows: readonly Row[]): Row | undefined =>
  rows.reduce<Row | undefined>(
    (a, b) => (a === undefined || b.createdDate > a.createdDate ? b : a),
    undefined,
  );
