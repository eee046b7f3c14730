import type { Modes } from "@mulkko/shared/entities/modes";
import type { Alarm, OpenValve } from "@mulkko/shared/live/alarm";
import { ChannelValue } from "@mulkko/shared/live/devices";
import { channelIdOf, isDeviceKey, farmKey as keyOfFarm } from "@mulkko/shared/rules/device-keys";
import type { FarmIndex } from "@mulkko/shared/rules/farm-of";
import type { Quality } from "@mulkko/shared/rules/quality";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { valveLabel } from "../account/thing-name.ts";
import type { StateValue } from "../store/streams.ts";
import { offlinePriority, SILENT_TYPES, silentType } from "./alarm-rules.ts";
import type { AlarmSource, OpenValves, SourceDeps } from "./alarm-source.ts";
import type { Covering } from "./outage-alarms.ts";

/** Devices whose last reports lie within this many ms fell silent together (ALM-4). */
const TOGETHER_MS = 15 * 60_000;
/** Minimum number of silent devices: one device does not indicate a link failure. */
const DEVICES = 2;

/** A device of a farm. `heardAt` is the time of its last report, ms UTC. */
interface Member {
  readonly key: string;
  readonly quality: Quality | null;
  readonly heardAt: number | null;
}

/** Devices that fell silent together, and the last report among them, ms UTC. */
interface Silence {
  readonly keys: readonly string[];
  readonly since: number;
}

/**
 * Detect the failure of a whole farm's link: no device reports any more, two or more fell silent together,
 * and one of them is offline. The others need not have reached their own threshold, because complete silence
 * separates a link failure from a device failure. Devices that were silent long before do not count and keep
 * their own alarms.
 *
 * @returns null while a device reports or its state is unknown
 */
function farmSilence(members: readonly Member[]): Silence | null {
  const known = members.flatMap((member) =>
    member.heardAt === null ? [] : [{ ...member, heardAt: member.heardAt }],
  );
  if (known.some(({ quality }) => quality !== "offline" && quality !== "late")) return null;
  const since = Math.max(...known.map(({ heardAt }) => heardAt));
  const together = known.filter(({ heardAt }) => isTogether(heardAt, since));
  const alone = known.filter(({ heardAt }) => !isTogether(heardAt, since));
  if (alone.some(({ quality }) => quality !== "offline")) return null;
  if (together.length < DEVICES || !together.some(({ quality }) => quality === "offline")) return null;
  return { keys: together.map(({ key }) => key), since };
}

/** True if a device with that last report fell silent with the others. Both are ms UTC. */
function isTogether(heardAt: number, since: number): boolean {
  return Math.abs(since - heardAt) <= TOGETHER_MS;
}

/** ms after an outage until devices that did not return get their own alarms. */
export const RETURN_MS = 10 * 60_000;

interface PresenceAlarmsDeps extends SourceDeps {
  readonly open: OpenValves;
  /** The present assignment of devices to farms (FARM-1). */
  readonly farms: () => FarmIndex;
  /** Return the present outage. */
  readonly covering: () => Covering | undefined;
}

/** A farm that lost its connection. */
interface LostFarm {
  /** Time of the last report of its devices, ms UTC. */
  readonly since: number;
  returning: { cancel(): void } | undefined;
}

/** ms without a connection after which a controller is an alarm, where its valves matter now. */
export const LOST_MS = 3 * 60_000;

/** Fields of a channel that decide about its controller's alarm, or that this alarm names. */
const DECIDING_FIELDS = ["onoff", "modes", "runUntil", "endsBy", "name", "sensorIds"] as const;

/** The fields of a channel that define when its valve closes. */
const Run = Type.Pick(ChannelValue, ["number", "runUntil", "endsBy"]);

/** The fields of a channel that define if a mode may open it. */
const Channel = Type.Pick(ChannelValue, ["controllerId", "modes"]);
const isInCharge = (modes: Modes | null): boolean => modes !== null && modes.active !== "none";

const QUALITIES: readonly Quality[] = ["fresh", "late", "offline", "unknown"];

function memberOf(key: string, value: StateValue | undefined): Member {
  const heardAt = typeof value?.heardAt === "string" ? Date.parse(value.heardAt) : null;
  return { key, quality: QUALITIES.find((quality) => quality === value?.quality) ?? null, heardAt };
}

/**
 * Raise an alarm for each silent device and each lost controller (ALM-1). During an outage of a farm, the API
 * or its broker, their silence is part of that outage's alarm, and gets its own after it is over (ALM-4).
 *
 * | a device | becomes | when |
 * | --- | --- | --- |
 * | reporting | silent, with its alarm | it is offline, or its controller lost its connection while a valve is open or for long |
 * | reporting, silent | part of an outage | its farm fell silent as a whole, or the API or its broker is away |
 * | part of an outage | silent, with its alarm | the outage is over, and it did not return in time; or it waters |
 * | any | reporting | a newer report of it; what was not read since a restart is none |
 *
 * | a farm | becomes | when |
 * | --- | --- | --- |
 * | reporting | lost | no device reports, two or more fell silent together, and one is offline |
 * | lost | returning | one of its devices reports again |
 * | returning | reporting | none of its devices is silent any more, or after 10 min |
 */
export class PresenceAlarms implements AlarmSource {
  readonly #deps: PresenceAlarmsDeps;
  readonly #lostFarms = new Map<string, LostFarm>();
  /** Silent devices that are part of an outage. */
  readonly #outageByDevice = new Map<string, string>();
  /** Outages that are over, and whose devices may still return. */
  readonly #returning = new Map<string, { cancel(): void }>();
  /** Controllers without a connection; `passed` once that has lasted long enough. */
  readonly #losses = new Map<string, { readonly timer: { cancel(): void }; readonly passed: boolean }>();

  constructor(deps: PresenceAlarmsDeps) {
    this.#deps = deps;
    const { state, timers } = this.#deps;
    state.on("outageOver", (key) => {
      this.#returning.get(key)?.cancel();
      const later = timers.after(RETURN_MS, () => {
        this.#returning.delete(key);
        this.#release(key);
      });
      this.#returning.set(key, later);
    });
  }

  /** Return true if the device's silence is part of an outage with its own alarm. */
  isPartOfOutage(key: string): boolean {
    return (
      this.#outageByDevice.has(key) || this.#farmsOf(key).some((farmKey) => this.#lostFarms.has(farmKey))
    );
  }

  changed(key: string, fields: StateValue | undefined): void {
    const { state } = this.#deps;
    if (key.startsWith("farm:")) this.#lookAtFarm(key);
    else if (isDeviceKey(key) && (!fields || "quality" in fields || "link" in fields)) this.#lookAround(key);
    else if (key.startsWith("channel:") && (!fields || DECIDING_FIELDS.some((field) => field in fields))) {
      const id = state.get(key)?.controllerId;
      for (const deviceKey of [`controller:${id}`, `sensor:${id}`])
        if (state.get(deviceKey)) this.#lookAround(deviceKey);
    }
  }

  restored(alarms: readonly Alarm[]): void {
    for (const { key, type, active, raisedAt, detail } of alarms) {
      if (type !== "farm-link" || !active) continue;
      const since = Date.parse(typeof detail?.since === "string" ? detail.since : raisedAt);
      this.#lostFarms.set(key, { since, returning: undefined });
    }
  }

  close(): void {
    for (const { returning: timer } of this.#lostFarms.values()) timer?.cancel();
    for (const timer of this.#returning.values()) timer.cancel();
    for (const { timer } of this.#losses.values()) timer.cancel();
  }

  #farmsOf(deviceKey: string): string[] {
    return this.#deps.farms().of(deviceKey).map(keyOfFarm);
  }

  #hasValves(key: string): boolean {
    const info = this.#deps.state.get(key)?.info;
    const isCot =
      typeof info === "object" && info !== null && "deviceType" in info && info.deviceType === "COT";
    return key.startsWith("controller:") || isCot;
  }

  /**
   * Return the valves of an alarm from before a restart that no report has shown closed yet: what was not read
   * ends nothing (ALM-8).
   */
  #unreadValves(key: string): readonly OpenValve[] {
    const valves = this.#deps.sink.active(key, "controller-offline-watering")?.valves ?? [];
    const channels = valves.map(({ channelId }) => this.#deps.state.get(`channel:${channelId}`));
    const isUnread = channels.some((channel) => channel?.onoff === 0) || !this.#hasChannels(key);
    return isUnread && !channels.some((channel) => channel?.onoff === 2) ? valves : [];
  }

  #hasChannels(key: string): boolean {
    const { state } = this.#deps;
    const id = key.slice(key.indexOf(":") + 1);
    for (const each of state.keys())
      if (each.startsWith("channel:") && String(state.get(each)?.controllerId) === id) return true;
    return false;
  }

  #isOpen(key: string): boolean {
    return this.#deps.open.on(key) || this.#unreadValves(key).length > 0;
  }

  #priorityOf(key: string): 1 | 2 | 3 {
    return offlinePriority({ controls: this.#hasValves(key), open: this.#isOpen(key) });
  }

  #activeOf(key: string): Alarm | undefined {
    for (const type of SILENT_TYPES) {
      const alarm = this.#deps.sink.active(key, type);
      if (alarm) return alarm;
    }
    return undefined;
  }

  #hold(member: Member): void {
    const { sink } = this.#deps;
    const { key } = member;
    const type = silentType({ controls: this.#hasValves(key), open: this.#isOpen(key) });
    const unread = this.#unreadValves(key);
    for (const other of SILENT_TYPES) if (other !== type) sink.withdraw(key, other);
    const reported = this.#deps.open.channelsOn(key).flatMap((channelKey) => this.#openValve(channelKey));
    const valves = [
      ...reported,
      ...unread.filter(({ channelId }) => !reported.some((valve) => valve.channelId === channelId)),
    ].sort((a, b) => a.number - b.number);
    sink.hold(key, type, {
      priority: this.#priorityOf(key),
      ...this.#sinceOf(member),
      ...(valves.length > 0 && { valves }),
    });
  }

  #openValve(channelKey: string): OpenValve[] {
    const { state } = this.#deps;
    const run = parse(Run, state.get(channelKey));
    if (!run.ok) return [];
    const { number, runUntil, endsBy } = run.value;
    const { valveName } = valveLabel(state, channelKey);
    // The relay's own close does not reach a controller without a connection.
    const until = endsBy === "relay" ? null : runUntil;
    return [
      { channelId: channelIdOf(channelKey), number, ...(valveName !== undefined && { valveName }), until },
    ];
  }

  #showFarm(farmKey: string): void {
    const members = [...this.#outageByDevice].filter(([, outage]) => outage === farmKey).map(([key]) => key);
    const lost = this.#lostFarms.get(farmKey);
    if (!lost) return;
    const priority = members.map((key) => this.#priorityOf(key)).sort((a, b) => a - b)[0] ?? 3;
    const detail = { since: new Date(lost.since).toISOString() };
    this.#deps.sink.hold(farmKey, "farm-link", { priority, devices: members.length, detail });
  }

  #release(outage: string): void {
    const members = [...this.#outageByDevice].filter(([, of]) => of === outage).map(([key]) => key);
    for (const key of members) this.#outageByDevice.delete(key);
    for (const key of members) this.#lookAround(key);
  }

  #endFarm(farmKey: string): void {
    const lost = this.#lostFarms.get(farmKey);
    lost?.returning?.cancel();
    this.#lostFarms.delete(farmKey);
    this.#deps.sink.clear(farmKey, "farm-link");
    this.#release(farmKey);
  }

  /** Check if the farm is silent as a whole, or is coming back. */
  #lookAtFarm(farmKey: string): void {
    const { state, sink } = this.#deps;
    if (state.get(farmKey) === undefined) {
      if (this.#lostFarms.has(farmKey)) this.#endFarm(farmKey);
      return;
    }
    const members = this.#deps
      .farms()
      .membersOf(farmKey.slice(keyOfFarm("").length))
      .map((key) => memberOf(key, state.get(key)));
    const lost = this.#lostFarms.get(farmKey);
    if (lost) {
      const back = members.some(({ quality, heardAt }) => quality === "fresh" && (heardAt ?? 0) > lost.since);
      const gone = members.some(({ key }) => this.#outageByDevice.get(key) === farmKey);
      if (back && !gone) this.#endFarm(farmKey);
      else if (back) lost.returning ??= this.#deps.timers.after(RETURN_MS, () => this.#endFarm(farmKey));
      if (this.#lostFarms.has(farmKey)) this.#showFarm(farmKey);
      return;
    }
    const silence = farmSilence(members);
    if (silence === null || this.#deps.covering() !== undefined) return;
    this.#lostFarms.set(farmKey, { since: silence.since, returning: undefined });
    for (const key of silence.keys) {
      this.#outageByDevice.set(key, farmKey);
      for (const type of SILENT_TYPES) sink.withdraw(key, type);
      sink.withdraw(key, "device");
    }
    this.#showFarm(farmKey);
  }

  /** Return the outage that a silent device is part of. */
  #outageOf({ key, heardAt }: Member): string | undefined {
    const known = this.#outageByDevice.get(key);
    if (known !== undefined) return known;
    if (this.#activeOf(key) !== undefined) return undefined;
    const farm = this.#farmsOf(key).find((farmKey) => {
      const lost = this.#lostFarms.get(farmKey);
      return lost !== undefined && heardAt !== null && isTogether(heardAt, lost.since);
    });
    if (farm !== undefined) return farm;
    const away = this.#deps.covering();
    // A device that reported since is not part of the outage, nor is a silent one that waters.
    const isPart = away && heardAt !== null && heardAt <= away.since + TOGETHER_MS && !this.#isOpen(key);
    return isPart ? away.key : undefined;
  }

  #look(key: string): void {
    const { sink } = this.#deps;
    const value = this.#deps.state.get(key);
    const member = memberOf(key, value);
    const lostOpen = value?.link === "lost" && this.#isOpen(key);
    if (member.quality === "offline" || lostOpen || this.#isLostLong(key, value)) {
      const outage = this.#outageOf(member);
      if (outage !== undefined && !lostOpen) this.#outageByDevice.set(key, outage);
      else {
        this.#outageByDevice.delete(key);
        sink.withdraw(key, "device");
        this.#hold(member);
      }
    } else if (value === undefined || member.quality === "fresh" || member.quality === "late") {
      // A restarted relay calls a silent device late, or a controller fresh whose valves and connection it has
      // not read, until the API has answered: without a newer contact that is the same silence.
      const isUnread = member.quality === "late" || this.#unreadValves(key).length > 0;
      if (isUnread && this.#isSameSilence(key, member, value?.link)) return;
      this.#outageByDevice.delete(key);
      for (const type of SILENT_TYPES) sink.clear(key, type);
    }
  }

  /**
   * Return true for a controller that has an active mode and has been without its connection for long: its
   * beds dry unobserved.
   */
  #isLostLong(key: string, value: StateValue | undefined): boolean {
    if (value?.link !== "lost") {
      this.#losses.get(key)?.timer.cancel();
      this.#losses.delete(key);
      return false;
    }
    const known = this.#losses.get(key);
    if (known === undefined) {
      const timer = this.#deps.timers.after(LOST_MS, () => {
        this.#losses.set(key, { timer, passed: true });
        this.#lookAround(key);
      });
      this.#losses.set(key, { timer, passed: false });
    }
    // An alarm from before a restart continues.
    return this.#hasMode(key) && (known?.passed === true || this.#activeOf(key) !== undefined);
  }

  #hasMode(key: string): boolean {
    const { state } = this.#deps;
    const id = key.slice(key.indexOf(":") + 1);
    for (const each of state.keys()) {
      if (!each.startsWith("channel:")) continue;
      const channel = parse(Channel, state.get(each));
      if (channel.ok && String(channel.value.controllerId) === id && isInCharge(channel.value.modes))
        return true;
    }
    return false;
  }

  #isSameSilence(key: string, { heardAt }: Member, link: unknown): boolean {
    const since = this.#activeOf(key)?.detail?.since;
    const isLinked = link === "up" || link === "lost";
    return !isLinked && heardAt !== null && typeof since === "string" && heardAt <= Date.parse(since);
  }

  #sinceOf({ heardAt }: Member): { detail?: never } | { detail: { since: string } } {
    return heardAt === null ? {} : { detail: { since: new Date(heardAt).toISOString() } };
  }

  #lookAround(key: string): void {
    // Check the farm first, so that a device that completes its silence gets no alarm of its own for a
    // moment.
    for (const farmKey of this.#farmsOf(key)) this.#lookAtFarm(farmKey);
    this.#look(key);
    for (const farmKey of this.#farmsOf(key)) this.#lookAtFarm(farmKey);
  }
}
