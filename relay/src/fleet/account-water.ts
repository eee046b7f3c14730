import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, FarmValue } from "@mulkko/shared/live/devices";
import { FLEET_ALARMS, FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { channelIdOf, channelKey, farmKey, parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type Static, Type } from "typebox";
import { type AccountValues, entriesOf, farmIndexOf } from "../account/farm-index.ts";
import { byUrgency } from "../alarms/alarm.ts";

/** An alarm of an account as its owner reports it to the fleet (WATCH-3). */
export const AlarmReport = Type.Omit(FleetAlarmValue, ["account", "username"]);
export type AlarmReport = Static<typeof AlarmReport>;

/** The urgent alarms of an account: the most urgent ones, and the counts of all. */
export const UrgentReport = Type.Object({
  alarms: Type.Array(AlarmReport, { maxItems: FLEET_ALARMS.perAccount }),
  leftOff: Type.Integer({ minimum: 0 }),
  p1: Type.Integer({ minimum: 0 }),
  p2: Type.Integer({ minimum: 0 }),
});
export type UrgentReport = Static<typeof UrgentReport>;

/** The valves of an account by their last reports. */
export const WaterReport = Type.Object({
  open: Type.Integer({ minimum: 0 }),
  beyondEnd: Type.Integer({ minimum: 0 }),
  unknown: Type.Integer({ minimum: 0 }),
});
export type WaterReport = Static<typeof WaterReport>;

/** ms for which a cleared alarm that is not acknowledged is shown to administrators. */
const CLEARED_MS = 24 * 3_600_000;

/** Alarms that say that a valve is open beyond its end. */
const BEYOND_END: ReadonlySet<string> = new Set(["open-too-long", "late-opening"]);

const Valve = Type.Pick(ChannelValue, ["controllerId", "number", "onoff", "runUntil"]);
const ValveState = Type.Pick(ChannelValue, ["onoff", "quality", "link"]);
const Farm = Type.Object({ info: Type.Pick(FarmValue.properties.info, ["id", "name"]) });

/** True for an alarm that asks for action now: active, not acknowledged, not snoozed. */
export const isUrgent = ({ active, ack, snooze }: Pick<Alarm, "active" | "ack" | "snooze">): boolean =>
  active && ack === null && snooze === null;

/** True while an administrator sees an alarm: it is active, or was cleared lately without an acknowledgement. */
export const isShown = (
  { active, ack, clearedAt }: Pick<Alarm, "active" | "ack" | "clearedAt">,
  now: number,
): boolean => active || (ack === null && clearedAt !== null && now - Date.parse(clearedAt) <= CLEARED_MS);

/** An alarm of the whole installation, which every account has: the state of the link says it once. */
const isOfInstallation = ({ key }: Alarm): boolean => key.startsWith("link:");

function alarmsIn(state: AccountValues): Alarm[] {
  const alarms: Alarm[] = [];
  for (const [key, value] of entriesOf(state)) {
    const alarm = key.startsWith("alarm:") ? parse(Alarm, value) : null;
    if (alarm?.ok) alarms.push(alarm.value);
  }
  return alarms;
}

/** Return the alarms of an account that concern administrators (WATCH-3). */
export function urgentReport(state: AccountValues, now: number): UrgentReport {
  const shown: (Alarm & { priority: 1 | 2 })[] = [];
  for (const alarm of alarmsIn(state)) {
    const { priority } = alarm;
    if (priority === 3 || isOfInstallation(alarm) || !isShown(alarm, now)) continue;
    shown.push({ ...alarm, priority });
  }
  if (shown.length === 0) return { alarms: [], leftOff: 0, p1: 0, p2: 0 };
  const urgent = shown.filter(isUrgent);
  const newest = shown.sort(byUrgency).slice(0, FLEET_ALARMS.perAccount);
  const farms = farmIndexOf(entriesOf(state));
  return {
    alarms: newest.map((alarm) => ({ ...alarm, ...placeOf(state, alarm.key, farms.of) })),
    leftOff: shown.length - newest.length,
    p1: urgent.filter(({ priority }) => priority === 1).length,
    p2: urgent.filter(({ priority }) => priority === 2).length,
  };
}

/** Return the farm and the valve of an alarm's subject. */
function placeOf(
  state: AccountValues,
  key: string,
  farmsOf: (key: string) => readonly string[],
): Pick<AlarmReport, "farm" | "valve"> {
  const kind = parseDeviceKey(key)?.kind;
  const farm = parse(Farm, state.get(kind === "farm" ? key : farmKey(farmsOf(key)[0] ?? "")));
  const channel = kind === "channel" ? parse(Valve, state.get(key)) : null;
  return {
    farm: farm.ok ? { id: farm.value.info.id, name: farm.value.info.name } : null,
    valve: channel?.ok ? { channelId: channelIdOf(key), ...channel.value } : null,
  };
}

/**
 * Count the valves of an account. A valve that was open by its last report counts as open, however old the
 * report is; any other one whose report does not count any more is unknown.
 */
export function waterReport(state: AccountValues): WaterReport {
  const beyond = new Set(
    alarmsIn(state)
      .filter(({ active, type }) => active && BEYOND_END.has(type))
      .map(({ key }) => key),
  );
  const report = { open: 0, beyondEnd: 0, unknown: 0 };
  for (const [key, value] of entriesOf(state)) {
    if (!key.startsWith(channelKey(""))) continue;
    const valve = parse(ValveState, value);
    if (!valve.ok) continue;
    const { onoff, quality, link } = valve.value;
    if (onoff === 1) {
      report.open += 1;
      if (beyond.has(key)) report.beyondEnd += 1;
    } else if (onoff === 0 || link === "lost" || (quality !== "fresh" && quality !== "late")) {
      report.unknown += 1;
    }
  }
  return report;
}

/** Return the key of `fleet` of the device that an alarm is about; null for an alarm about no device. */
export function alarmedDevice({ key, valve }: Pick<AlarmReport, "key" | "valve">): string | null {
  const named = parseDeviceKey(key);
  if (named?.kind === "sensor" || named?.kind === "controller") return fleetDeviceKey(named.kind, named.id);
  if (named?.kind !== "channel") return null;
  // The channel of a COT sensor carries the sensor's id.
  if (named.number !== undefined) return fleetDeviceKey("sensor", named.id);
  return valve === null ? null : fleetDeviceKey("controller", valve.controllerId);
}
