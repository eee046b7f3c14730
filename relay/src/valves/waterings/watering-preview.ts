import type { Modes } from "@mulkko/shared/entities/modes";
import { ChannelValue } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import type { PlannedWatering, UntimedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { occurrencesIn } from "@mulkko/shared/rules/calendar";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type FarmState, farmIndexOf } from "../../account/farm-index.ts";
import type { ChannelWatering } from "../commands.ts";

/** A channel as the preview uses it. */
export interface PreviewChannel {
  readonly place: Pick<PlannedWatering, "channelId" | "controllerId" | "number" | "farmIds" | "quality">;
  readonly modes: Modes | null;
  /** The running watering, and when its end is set; ms UTC. */
  readonly running: { readonly watering: Watering; readonly until: number | null } | null;
  /**
   * Start of the newest watering that the period caused, ms UTC, for a controller that does not report from when it
   * counts.
   */
  readonly lastPeriod: number | null;
}

interface Preview {
  readonly planned: PlannedWatering[];
  readonly untimed: UntimedWatering[];
  readonly unread: string[];
  readonly truncated: boolean;
}

const MINUTE_MS = 60_000;
/** WAT-3: length of the preview. */
const PREVIEW_MS = 24 * 60 * MINUTE_MS;
/** A period that is late by more than this does not follow the assumed rhythm. */
const BEHIND_MS = 10 * MINUTE_MS;
/** Delay above which a start is skipped. */
const LATE_MS = MINUTE_MS;
const PLANNED_AT_MOST = 500;
const OVERLAPS_AT_MOST = 20;
/** Upper bound of runs per channel: a period of a minute must not fill the list alone. */
const RUNS_OF_A_CHANNEL = 100;

/** Return the start of an instant's minute, ms: a question asked again within it has the same answer, and costs no bytes. */
export const startOfMinute = (instant: number): number => Math.floor(instant / MINUTE_MS) * MINUTE_MS;

const iso = (instant: number): string => new Date(instant).toISOString();

type Run = Omit<PlannedWatering, "id" | "overlaps">;

function runsOf({ place, modes, running, lastPeriod }: PreviewChannel, zone: ApiTimeZone, instant: number) {
  const runs: Run[] = [];
  const untimed: UntimedWatering[] = [];
  const now = startOfMinute(instant);
  const to = now + PREVIEW_MS;
  if (running) {
    const { watering, until } = running;
    const end = until === null ? null : iso(until);
    runs.push({ ...place, kind: "running", start: watering.start, end, basis: "report" });
  }
  const unknown = (
    mode: UntimedWatering["mode"],
    reason: UntimedWatering["reason"],
    lack: UntimedWatering["lack"] = null,
  ): void => void untimed.push({ ...place, mode, reason, lack });
  const plan = (
    kind: "reservation" | "period",
    starts: readonly number[],
    minutes: number,
    basis: PlannedWatering["basis"],
  ): void => {
    for (const start of starts.slice(0, RUNS_OF_A_CHANNEL)) {
      runs.push({ ...place, kind, start: iso(start), end: iso(start + minutes * MINUTE_MS), basis });
    }
  };
  const planMode = (mode: UntimedWatering["mode"], modes: Modes): void => {
    const lack = mode === modes.active ? (modes.incomplete ?? null) : null;
    if (lack !== null) unknown(mode, "incomplete", lack);
    else if (mode === "automatic") unknown(mode, "by-moisture");
    else if (mode === "reservation") {
      const { onTime, wateringDuration, repeat } = modes.reservation ?? {};
      if (modes.reservation === null) unknown(mode, "incomplete", "setting");
      else if (!wateringDuration || wateringDuration <= 0) unknown(mode, "incomplete", "duration");
      else if (!onTime || !/^\d{1,2}:\d{2}/.test(onTime)) unknown(mode, "incomplete", "time");
      else {
        // A single run that is in progress does not run again.
        const isOver = repeat !== true && running?.watering.cause === "reservation";
        const starts = isOver ? [] : occurrencesIn(onTime, zone, now, to).map(({ at }) => at);
        plan(mode, repeat === true ? starts : starts.slice(0, 1), wateringDuration, "time");
      }
    } else {
      const { wateringInterval, wateringDuration, repeat, countsFrom } = modes.period ?? {};
      if (modes.period === null) unknown(mode, "incomplete", "setting");
      else if (!wateringDuration || wateringDuration <= 0) unknown(mode, "incomplete", "duration");
      else if (!wateringInterval || wateringInterval <= 0) unknown(mode, "incomplete", "interval");
      else {
        const interval = wateringInterval * MINUTE_MS;
        const from =
          countsFrom === undefined ? lastPeriod : lastMissed(Date.parse(countsFrom), interval, instant);
        const starts = periodStarts(from, interval, now, to);
        const isRunning = running?.watering.cause === "period";
        const basis = countsFrom === undefined ? "last-run" : "report";
        if (repeat === true && starts !== null) plan(mode, starts, wateringDuration, basis);
        else if (starts !== null && countsFrom !== undefined && !isRunning)
          plan(mode, starts.slice(0, 1), wateringDuration, basis);
        else if (repeat === true || !isRunning) unknown(mode, "start-unknown");
      }
    }
  };
  if (modes === null || modes.active === "none") return { runs, untimed };
  for (const mode of [modes.active, ...(modes.alsoOn ?? [])]) planMode(mode, modes);
  return { runs, untimed };
}

/**
 * Return the last start that a period has left out since the one from which it counts: while a person waters it waits,
 * and a start that is late by more than a minute is skipped.
 */
function lastMissed(from: number, interval: number, now: number): number {
  return from + interval * Math.max(0, Math.ceil((now - LATE_MS - from) / interval) - 1);
}

/**
 * Return the starts of a period's runs, counted from its last one; null if that does not predict the next.
 */
function periodStarts(last: number | null, interval: number, now: number, to: number): number[] | null {
  if (last === null || last + interval < now - BEHIND_MS) return null;
  const starts: number[] = [];
  for (let start = last + interval; start < to && starts.length < RUNS_OF_A_CHANNEL; start += interval) {
    starts.push(Math.max(start, now));
  }
  return starts;
}

const shareGround = (a: Run, b: Run): boolean =>
  String(a.controllerId) === String(b.controllerId) || a.farmIds.some((farm) => b.farmIds.includes(farm));

/** Return the end of a run; a run without an end is only known to run now. */
const endOf = ({ end }: Run, now: number): number => (end === null ? now + 1 : Date.parse(end));

/**
 * Return the waterings of the next 24 hours (WAT-3), oldest first, with overlaps on one farm or controller
 * marked, and the modes without a predictable time.
 *
 * @param zone of the account, whose local time reservations follow
 * @param now ms UTC; only whether a start is skipped goes by less than its minute
 */
export function previewWaterings(
  channels: Iterable<PreviewChannel>,
  zone: ApiTimeZone,
  now: number,
): Preview {
  const runs: Run[] = [];
  const untimed: UntimedWatering[] = [];
  const unread: string[] = [];
  for (const channel of channels) {
    if (channel.modes === null) unread.push(channel.place.channelId);
    const found = runsOf(channel, zone, now);
    runs.push(...found.runs);
    untimed.push(...found.untimed);
  }
  runs.sort((a, b) => Date.parse(a.start) - Date.parse(b.start) || a.channelId.localeCompare(b.channelId));
  const listed = runs.slice(0, PLANNED_AT_MOST);
  const ids = listed.map(({ channelId, kind, start }) => `${channelId}/${kind}/${start}`);
  const overlaps = listed.map((): string[] => []);
  listed.forEach((run, index) => {
    const end = endOf(run, now);
    for (let other = index + 1; other < listed.length; other += 1) {
      const later = listed[other];
      if (later === undefined || Date.parse(later.start) >= end) break;
      if (!shareGround(run, later) || endOf(later, now) <= Date.parse(run.start)) continue;
      const [id, otherId] = [ids[index], ids[other]];
      if (id === undefined || otherId === undefined) continue;
      if ((overlaps[index]?.length ?? 0) < OVERLAPS_AT_MOST) overlaps[index]?.push(otherId);
      if ((overlaps[other]?.length ?? 0) < OVERLAPS_AT_MOST) overlaps[other]?.push(id);
    }
  });
  return {
    planned: listed.map((run, index) => ({ id: ids[index] ?? "", ...run, overlaps: overlaps[index] ?? [] })),
    untimed,
    unread,
    truncated: runs.length > listed.length,
  };
}

/** The preview of an account, or of one of its farms; `now` ms UTC, and the answer speaks of its minute. */
export function previewOf(
  farm: string | undefined,
  account: {
    readonly state: FarmState;
    readonly waterings: readonly ChannelWatering[];
    readonly zone: ApiTimeZone;
    readonly now: number;
  },
): WateringPreview {
  const { state, waterings, zone, now } = account;
  const farms = farmIndexOf(Object.entries(state));
  const running = new Map<string, ChannelWatering["watering"]>();
  const lastPeriod = new Map<string, number>();
  for (const { channelKey, watering } of waterings) {
    const start = Date.parse(watering.start);
    if (watering.end === null) running.set(channelKey, watering);
    if (watering.cause === "period") {
      lastPeriod.set(channelKey, Math.max(start, lastPeriod.get(channelKey) ?? start));
    }
  }
  const channels: PreviewChannel[] = [];
  for (const [key, value] of Object.entries(state)) {
    const channel = key.startsWith("channel:") ? parse(ChannelValue, value) : null;
    if (!channel?.ok) continue;
    const farmIds = [...farms.of(key)];
    if (farm !== undefined && !farmIds.includes(farm)) continue;
    const { controllerId, number, quality, modes, runUntil } = channel.value;
    const watering = running.get(key);
    channels.push({
      place: { channelId: channelIdOf(key), controllerId, number, farmIds, quality },
      modes,
      running: watering ? { watering, until: runUntil === null ? null : Date.parse(runUntil) } : null,
      lastPeriod: lastPeriod.get(key) ?? null,
    });
  }
  return {
    timezone: zone.zone,
    from: iso(startOfMinute(now)),
    to: iso(startOfMinute(now) + PREVIEW_MS),
    ...previewWaterings(channels, zone, now),
  };
}
