import type { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, type Modes } from "@mulkko/shared/live/devices";
import type { Quality } from "@mulkko/shared/rules/quality";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { offlinePriority, SILENT_TYPES, silentType } from "../core/alarm-rules.ts";
import { farmSilence, isTogether, type Member, TOGETHER_MS } from "../core/farm-silence.ts";
import type { StateValue } from "../ports/streams.ts";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";
import type { FarmMembers } from "./farm-members.ts";
import type { OpenValves } from "./open-valves.ts";
import type { Covering } from "./outage-alarms.ts";

/** ms after an outage until those that did not come back with it are alarms of their own. */
export const RETURN_MS = 10 * 60_000;

export interface PresenceAlarms extends AlarmSource {
  /** The farm API or its broker has come back (ALM-4). */
  outageOver(key: string): void;
  /** True where a device's silence is part of an outage that has its own alarm. */
  isFolded(deviceKey: string): boolean;
}

export interface PresenceAlarmsParts extends SourceParts {
  readonly open: OpenValves;
  readonly farms: FarmMembers;
  /** What is away at the moment. */
  readonly covering: () => Covering | undefined;
}

/** A farm whose link is gone. */
interface LostFarm {
  /** When the last of its devices was heard, ms UTC. */
  readonly since: number;
  returning: { cancel(): void } | undefined;
}

/** A controller whose connection is lost for so long is an alarm where its valves matter now, ms. */
export const LOST_MS = 3 * 60_000;

/** The parts of a channel that say whether a mode may open it. */
const Channel = Type.Pick(ChannelValue, ["controllerId", "modes"]);
const isInCharge = (modes: Modes | null): boolean => modes !== null && modes.active !== "none";

const isDevice = (key: string): boolean => key.startsWith("sensor:") || key.startsWith("controller:");

const QUALITIES: readonly Quality[] = ["fresh", "late", "offline", "unknown"];

function memberOf(key: string, value: StateValue | undefined): Member {
  const heardAt = typeof value?.heardAt === "string" ? Date.parse(value.heardAt) : null;
  return { key, quality: QUALITIES.find((quality) => quality === value?.quality) ?? null, heardAt };
}

/**
 * Silent devices and lost controllers, each an alarm of its own (ALM-1), unless a farm's link, the API or its broker is what is gone: then
 * they are part of that one, and come out of it after it is over (ALM-4).
 */
export function createPresenceAlarms(parts: PresenceAlarmsParts): PresenceAlarms {
  const { sink, writer, timers, open, farms } = parts;
  const lostFarms = new Map<string, LostFarm>();
  /** Silent devices that are part of an outage. */
  const folded = new Map<string, string>();
  const returning = new Map<string, { cancel(): void }>();

  /** Controllers whose connection is lost; `passed` once that has lasted. */
  const losses = new Map<string, { readonly timer: { cancel(): void }; readonly passed: boolean }>();

  const hasValves = (key: string): boolean => {
    const info = writer.get(key)?.info;
    const isCot =
      typeof info === "object" && info !== null && "deviceType" in info && info.deviceType === "COT";
    return key.startsWith("controller:") || isCot;
  };
  const priorityOf = (key: string) => offlinePriority({ controls: hasValves(key), open: open.on(key) });
  const activeOf = (key: string): Alarm | undefined => {
    for (const type of SILENT_TYPES) {
      const alarm = sink.active(key, type);
      if (alarm) return alarm;
    }
    return undefined;
  };
  const hold = (member: Member): void => {
    const { key } = member;
    const type = silentType({ controls: hasValves(key), open: open.on(key) });
    for (const other of SILENT_TYPES) if (other !== type) sink.withdraw(key, other);
    sink.hold(key, type, { priority: priorityOf(key), ...sinceOf(member) });
  };
  const showFarm = (farmKey: string): void => {
    const members = [...folded].filter(([, outage]) => outage === farmKey).map(([key]) => key);
    const lost = lostFarms.get(farmKey);
    if (!lost) return;
    const priority = members.map(priorityOf).sort((a, b) => a - b)[0] ?? 3;
    const detail = { since: new Date(lost.since).toISOString() };
    sink.hold(farmKey, "farm-link", { priority, devices: members.length, detail });
  };
  const release = (outage: string): void => {
    const members = [...folded].filter(([, of]) => of === outage).map(([key]) => key);
    for (const key of members) folded.delete(key);
    for (const key of members) lookAround(key);
  };
  const endFarm = (farmKey: string): void => {
    const lost = lostFarms.get(farmKey);
    lost?.returning?.cancel();
    lostFarms.delete(farmKey);
    sink.clear(farmKey, "farm-link");
    release(farmKey);
  };
  /** Finds out whether the farm is silent as a whole, or is coming back. */
  const lookAtFarm = (farmKey: string): void => {
    if (writer.get(farmKey) === undefined) {
      if (lostFarms.has(farmKey)) endFarm(farmKey);
      return;
    }
    const members = farms.membersOf(farmKey).map((key) => memberOf(key, writer.get(key)));
    const lost = lostFarms.get(farmKey);
    if (lost) {
      const back = members.some(({ quality, heardAt }) => quality === "fresh" && (heardAt ?? 0) > lost.since);
      const gone = members.some(({ key }) => folded.get(key) === farmKey);
      if (back && !gone) endFarm(farmKey);
      else if (back) lost.returning ??= timers.after(RETURN_MS, () => endFarm(farmKey));
      if (lostFarms.has(farmKey)) showFarm(farmKey);
      return;
    }
    const silence = farmSilence(members);
    if (silence === null || parts.covering() !== undefined) return;
    lostFarms.set(farmKey, { since: silence.since, returning: undefined });
    for (const key of silence.keys) {
      folded.set(key, farmKey);
      for (const type of SILENT_TYPES) sink.withdraw(key, type);
      sink.withdraw(key, "device");
    }
    showFarm(farmKey);
  };
  /** The outage that a silent device is part of. */
  const outageOf = ({ key, heardAt }: Member): string | undefined => {
    const known = folded.get(key);
    if (known !== undefined) return known;
    if (activeOf(key) !== undefined) return undefined;
    const farm = farms.farmsOf(key).find((farmKey) => {
      const lost = lostFarms.get(farmKey);
      return lost !== undefined && heardAt !== null && isTogether(heardAt, lost.since);
    });
    if (farm !== undefined) return farm;
    const away = parts.covering();
    // Heard since, it is heard all the same; and what waters unheard is nobody's part.
    const isPart = away && heardAt !== null && heardAt <= away.since + TOGETHER_MS && !open.on(key);
    return isPart ? away.key : undefined;
  };
  function look(key: string): void {
    const value = writer.get(key);
    const member = memberOf(key, value);
    const lostOpen = value?.link === "lost" && open.on(key);
    if (member.quality === "offline" || lostOpen || isLostLong(key, value)) {
      const outage = outageOf(member);
      if (outage !== undefined && !lostOpen) folded.set(key, outage);
      else {
        folded.delete(key);
        sink.withdraw(key, "device");
        hold(member);
      }
    } else if (value === undefined || member.quality === "fresh" || member.quality === "late") {
      // A relay that begins anew calls a silent device late until the API has answered: that is the same silence.
      if (member.quality === "late" && isSameSilence(key, member, value?.link)) return;
      folded.delete(key);
      for (const type of SILENT_TYPES) sink.clear(key, type);
    }
  }
  /** True for a controller that has lost its connection for a while and has a mode in charge: its beds dry unseen. */
  function isLostLong(key: string, value: StateValue | undefined): boolean {
    if (value?.link !== "lost") {
      losses.get(key)?.timer.cancel();
      losses.delete(key);
      return false;
    }
    const known = losses.get(key);
    if (known === undefined) {
      const timer = timers.after(LOST_MS, () => {
        losses.set(key, { timer, passed: true });
        lookAround(key);
      });
      losses.set(key, { timer, passed: false });
    }
    // An alarm from before a restart goes on.
    return hasMode(key) && (known?.passed === true || activeOf(key) !== undefined);
  }
  const hasMode = (key: string): boolean => {
    const id = key.slice(key.indexOf(":") + 1);
    for (const each of writer.keys()) {
      if (!each.startsWith("channel:")) continue;
      const channel = parse(Channel, writer.get(each));
      if (channel.ok && String(channel.value.controllerId) === id && isInCharge(channel.value.modes))
        return true;
    }
    return false;
  };
  const isSameSilence = (key: string, { heardAt }: Member, link: unknown): boolean => {
    const since = activeOf(key)?.detail?.since;
    const isLinked = link === "up" || link === "lost";
    return !isLinked && heardAt !== null && typeof since === "string" && heardAt <= Date.parse(since);
  };
  const sinceOf = ({ heardAt }: Member) =>
    heardAt === null ? {} : { detail: { since: new Date(heardAt).toISOString() } };
  function lookAround(key: string): void {
    // The farm first: a device that completes its silence is no alarm of its own for a moment.
    for (const farmKey of farms.farmsOf(key)) lookAtFarm(farmKey);
    look(key);
    for (const farmKey of farms.farmsOf(key)) lookAtFarm(farmKey);
  }

  return {
    isFolded: (key) => folded.has(key) || farms.farmsOf(key).some((farmKey) => lostFarms.has(farmKey)),
    outageOver(key) {
      returning.get(key)?.cancel();
      const later = timers.after(RETURN_MS, () => {
        returning.delete(key);
        release(key);
      });
      returning.set(key, later);
    },
    changed(key, fields) {
      if (key.startsWith("farm:")) lookAtFarm(key);
      else if (isDevice(key) && (!fields || "quality" in fields || "link" in fields)) lookAround(key);
      else if (key.startsWith("channel:") && (!fields || "onoff" in fields || "modes" in fields)) {
        const id = writer.get(key)?.controllerId;
        for (const box of [`controller:${id}`, `sensor:${id}`]) if (writer.get(box)) lookAround(box);
      }
    },
    restored(alarms) {
      for (const { key, type, active, raisedAt, detail } of alarms) {
        if (type !== "farm-link" || !active) continue;
        const since = Date.parse(typeof detail?.since === "string" ? detail.since : raisedAt);
        lostFarms.set(key, { since, returning: undefined });
      }
    },
    close() {
      for (const { returning: timer } of lostFarms.values()) timer?.cancel();
      for (const timer of returning.values()) timer.cancel();
      for (const { timer } of losses.values()) timer.cancel();
    },
  };
}
