import type { FleetAccountValue, FleetAlarmValue, FleetListValue } from "@mulkko/shared/live/fleet";
import { parseDeviceKey } from "@mulkko/shared/rules/device-keys";
import { inOrder } from "../alarm/present-alarms.ts";
import type { FleetStore } from "./fleet-store.ts";

/** Priorities of alarms that concern administrators. */
export type UrgentPriority = FleetAlarmValue["priority"];

/** Worst urgent alarm by account. */
export type AccountAlarms = ReadonlyMap<string, UrgentPriority>;

/** Return the place of an urgent alarm in an order; those without one are last. */
export const urgencyPlace = (alarm: UrgentPriority | null | undefined): number => alarm ?? 3;

/** Return true for an alarm that asks for attention: active, and neither acknowledged nor snoozed. */
export const isAsking = ({ active, ack, snooze }: FleetAlarmValue): boolean =>
  active && ack === null && snooze === null;

/** Return true for an alarm that the first screens show: it asks for attention, or is a P1 that is still active. */
const isShownFirst = (alarm: FleetAlarmValue): boolean =>
  isAsking(alarm) || (alarm.active && alarm.priority === 1 && alarm.snooze === null);

/** Return all alarms in order (WARN-1): what asks for attention first, P1 before P2. */
export const fleetAlarms = (alarms: Iterable<FleetAlarmValue>): readonly FleetAlarmValue[] => inOrder(alarms);

/** Return the alarms of the first screens, most urgent first (WARN-1). */
export const urgentAlarms = (alarms: Iterable<FleetAlarmValue>): readonly FleetAlarmValue[] =>
  inOrder([...alarms].filter(isShownFirst));

/** Return the worst alarm that asks for attention, by account. */
export function urgentByAccount(alarms: Iterable<FleetAlarmValue>): AccountAlarms {
  const worst = new Map<string, UrgentPriority>();
  for (const alarm of alarms) {
    if (!isAsking(alarm)) continue;
    const id = `${alarm.account}`;
    if (worst.get(id) !== 1) worst.set(id, alarm.priority);
  }
  return worst;
}

/**
 * Return the worst alarm that asks for attention, by account. An account whose alarms the stream leaves out
 * (too many, or an earlier relay) counts with its worst active alarm.
 */
export function accountUrgency(store: Pick<FleetStore, "all" | "list">): AccountAlarms {
  const worst = new Map(urgentByAccount(store.all("alarm").values()));
  const { urgent, leftOff = 0 } = store.list() ?? {};
  if (urgent !== undefined && leftOff === 0) return worst;
  for (const { id, worstAlarm } of store.all("account").values()) {
    if ((worstAlarm === 1 || worstAlarm === 2) && !worst.has(`${id}`)) worst.set(`${id}`, worstAlarm);
  }
  return worst;
}

/** Return false while the sums show that no account has an urgent alarm, or have not arrived (WARN-1). */
export const needsAlarms = (store: Pick<FleetStore, "list">): boolean => {
  const list = store.list();
  return list !== undefined && (!list.urgent || list.urgent.p1 + list.urgent.p2 > 0);
};

/**
 * Numbers of urgent alarms of all accounts. `known` is false while not every account has been named and read:
 * the numbers are then lower bounds.
 */
export interface UrgentCount {
  readonly p1: number;
  readonly p2: number;
  readonly known: boolean;
}

/** Count the alarms that ask for attention, with those that the stream leaves out. */
export function urgentCount(store: Pick<FleetStore, "all" | "list">): UrgentCount {
  const counted = { p1: 0, p2: 0 };
  for (const alarm of store.all("alarm").values()) {
    if (isAsking(alarm)) counted[alarm.priority === 1 ? "p1" : "p2"] += 1;
  }
  const sums = store.list()?.urgent;
  if (!sums) return { ...counted, known: false };
  return { p1: Math.max(counted.p1, sums.p1), p2: Math.max(counted.p2, sums.p2), known: true };
}

/** Water of all accounts. Numbers are lower bounds unless `known`. */
export interface FleetWater {
  readonly open: number;
  readonly beyondEnd: number;
  /** Valves whose state is not known now. */
  readonly unknownValves: number;
  /** Accounts that have valves or may have some, and whose water is not known. */
  readonly unknownAccounts: number;
  /** True if the water of every account is known. */
  readonly known: boolean;
  /** Accounts with an open valve or one of unknown state: beyond its end first, then by number. */
  readonly accounts: readonly FleetAccountValue[];
}

/** Return true if the account has valves, or may have some. */
const mayHaveValves = ({ controllers }: FleetAccountValue): boolean => controllers !== 0;

/** Sum up the open valves of all accounts (WARN-4). */
export function waterOf(store: Pick<FleetStore, "all" | "list">): FleetWater {
  let [open, beyondEnd, unknownValves, unknownAccounts] = [0, 0, 0, 0];
  const accounts: FleetAccountValue[] = [];
  for (const account of store.all("account").values()) {
    const isKnown = typeof account.openValves === "number";
    if (!isKnown && mayHaveValves(account)) unknownAccounts += 1;
    open += account.openValves ?? 0;
    beyondEnd += account.openBeyondEnd ?? 0;
    unknownValves += account.unknownValves ?? 0;
    if ((account.openValves ?? 0) + (account.unknownValves ?? 0) > 0) accounts.push(account);
  }
  return {
    open,
    beyondEnd,
    unknownValves,
    unknownAccounts,
    known: typeof store.list()?.openValves === "number" && unknownAccounts === 0 && unknownValves === 0,
    accounts: accounts.sort(byWater),
  };
}

const byWater = (a: FleetAccountValue, b: FleetAccountValue): number =>
  (b.openBeyondEnd ?? 0) - (a.openBeyondEnd ?? 0) ||
  (b.openValves ?? 0) - (a.openValves ?? 0) ||
  (b.unknownValves ?? 0) - (a.unknownValves ?? 0) ||
  (`${a.id}` < `${b.id}` ? -1 : 1);

/** Return the accounts with valves that the relay cannot watch (WARN-5), by name. */
export const unwatchedAccounts = (accounts: Iterable<FleetAccountValue>): readonly FleetAccountValue[] =>
  [...accounts]
    .filter(({ unwatched }) => unwatched)
    .sort((a, b) => ((a.username ?? `${a.id}`) < (b.username ?? `${b.id}`) ? -1 : 1));

/**
 * Return true once it is known which accounts with valves are watched. @param list undefined before its
 * arrival
 */
export const knowsWatched = (list: FleetListValue | undefined): boolean =>
  typeof list?.unwatched === "number";

/** A valve that an administrator may close; `name` is null where the alarm has none. */
export interface ClosableValve {
  readonly controllerId: string | number;
  readonly channelId: string;
  readonly name: string | null;
  readonly number: number;
}

/**
 * Return the valves of an active alarm that are open, or may be (WARN-6): that of its channel, or those that
 * a lost controller last reported as open.
 */
export function closableValves(alarm: FleetAlarmValue): readonly ClosableValve[] {
  const { active, valve, valves, name = null } = alarm;
  if (!active) return [];
  if (valve !== null) {
    const { controllerId, channelId, number, onoff } = valve;
    return onoff === 2 ? [] : [{ controllerId, channelId, name, number }];
  }
  const unit = parseDeviceKey(alarm.key);
  if (unit?.kind !== "controller" && unit?.kind !== "sensor") return [];
  return (valves ?? []).map(({ channelId, number, valveName }) => ({
    controllerId: unit.id,
    channelId,
    name: valveName ?? name,
    number,
  }));
}

/** Return the alarms of a device and of its channels, most urgent first. */
export const alarmsOfDevice = (
  alarms: Iterable<FleetAlarmValue>,
  account: string,
  deviceId: string | number,
): readonly FleetAlarmValue[] =>
  inOrder(
    [...alarms].filter((alarm) => {
      if (`${alarm.account}` !== account) return false;
      if (alarm.valve !== null) return `${alarm.valve.controllerId}` === `${deviceId}`;
      return parseDeviceKey(alarm.key)?.id === `${deviceId}`;
    }),
  );
