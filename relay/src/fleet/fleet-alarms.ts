import { FLEET_ALARMS, type FleetAccountValue, FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetAlarmKey } from "@mulkko/shared/live/fleet-keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { AccountWriter } from "../account/writer.ts";
import { byUrgency } from "../alarms/alarm.ts";
import type { StateValue } from "../store/streams.ts";
import { alarmedDevice, isShown, isUrgent, type UrgentReport } from "./account-water.ts";

/** ms for which alarms of an account without an owner's report stay: the next owner reports them again. */
const HELD_MS = 24 * 3_600_000;

interface AccountAlarms {
  alarms: readonly FleetAlarmValue[];
  urgent: Pick<UrgentReport, "p1" | "p2">;
  leftOff: number;
  /** The worst urgent alarm of each device, by its key of `fleet`. */
  worst: ReadonlyMap<string, 1 | 2>;
  /** Keys of the stream. */
  shown: ReadonlySet<string>;
  /** Since when no owner reports the account, ms UTC; null: reported. */
  heldSince: number | null;
}

/**
 * The urgent alarms of all accounts in the `fleet` stream (WATCH-3): the most urgent of each account, and of
 * all accounts together.
 *
 * The alarms of an account are *reported* by its owner, and *held* from the moment on at which no owner
 * reports it, because not knowing is not "all is well". They end with a new report, or 24 h later.
 */
export class FleetAlarms {
  readonly #writer: Pick<AccountWriter, "set" | "del">;
  readonly #now: () => number;
  readonly #accounts = new Map<string, AccountAlarms>();
  #beyondAll = 0;

  constructor(writer: Pick<AccountWriter, "set" | "del">, now: () => number) {
    this.#writer = writer;
    this.#now = now;
  }

  /** Continue from the stream of the previous owner. */
  resume(values: ReadonlyMap<string, StateValue>): void {
    const found = new Map<string, FleetAlarmValue[]>();
    for (const [key, value] of values) {
      if (!key.startsWith("alarm:")) continue;
      const alarm = parse(FleetAlarmValue, value);
      if (!alarm.ok) {
        this.#writer.del(key);
        continue;
      }
      const account = String(alarm.value.account);
      found.set(account, [...(found.get(account) ?? []), alarm.value]);
    }
    for (const [account, alarms] of found) {
      const urgent = alarms.filter(isUrgent);
      const p1 = urgent.filter(({ priority }) => priority === 1).length;
      const shown = new Set(alarms.map(({ id }) => fleetAlarmKey(account, id)));
      this.#put(account, { alarms, urgent: { p1, p2: urgent.length - p1 }, leftOff: 0 }, shown, this.#now());
    }
  }

  /** Apply an owner's report. Return the devices whose worst alarm may have changed. */
  report(
    account: string,
    { alarms, leftOff, p1, p2 }: UrgentReport,
    owner: Pick<FleetAlarmValue, "account" | "username">,
  ): Set<string> {
    const before = this.#accounts.get(account);
    const values = alarms.map((alarm) => ({ ...alarm, ...owner }));
    const shown = before?.shown ?? new Set<string>();
    const after = this.#put(account, { alarms: values, urgent: { p1, p2 }, leftOff }, shown, null);
    this.#show(account);
    if (alarms.length === 0) this.#accounts.delete(account);
    return new Set([...(before?.worst.keys() ?? []), ...after.worst.keys()]);
  }

  /** Note that no owner reports the account any more. */
  hold(account: string): void {
    const held = this.#accounts.get(account);
    if (held) held.heldSince ??= this.#now();
  }

  /** Note the name of an account. */
  rename(account: string, username: string | null): void {
    const known = this.#accounts.get(account);
    if (!known) return;
    known.alarms = known.alarms.map((alarm) => ({ ...alarm, username }));
    this.#show(account);
  }

  /** Remove the alarms of an account that is gone. */
  forget(account: string): void {
    const known = this.#accounts.get(account);
    if (!known) return;
    for (const key of known.shown) this.#writer.del(key);
    this.#accounts.delete(account);
    this.#show(account);
  }

  /** Return the worst urgent alarm of a device; null: none is known. */
  worstOf(account: string, deviceKey: string): 1 | 2 | null {
    return this.#accounts.get(account)?.worst.get(deviceKey) ?? null;
  }

  /** Remove what is no longer shown because of its age. */
  prune(): void {
    const now = this.#now();
    for (const [account, { heldSince, alarms }] of [...this.#accounts]) {
      if (heldSince !== null && now - heldSince > HELD_MS) this.forget(account);
      else if (alarms.some((alarm) => !isShown(alarm, now))) {
        const known = this.#accounts.get(account);
        if (known) known.alarms = alarms.filter((alarm) => isShown(alarm, now));
        this.#show(account);
      }
    }
  }

  /** Sums over all accounts. */
  get totals(): { readonly urgent: { readonly p1: number; readonly p2: number }; readonly leftOff: number } {
    const urgent = { p1: 0, p2: 0 };
    let leftOff = this.#beyondAll;
    for (const account of this.#accounts.values()) {
      urgent.p1 += account.urgent.p1;
      urgent.p2 += account.urgent.p2;
      leftOff += account.leftOff;
    }
    return { urgent, leftOff };
  }

  #put(
    account: string,
    reported: Pick<AccountAlarms, "alarms" | "urgent" | "leftOff">,
    shown: ReadonlySet<string>,
    heldSince: number | null,
  ): AccountAlarms {
    const worst = new Map<string, 1 | 2>();
    for (const alarm of reported.alarms) {
      const device = isUrgent(alarm) ? alarmedDevice(alarm) : null;
      if (device !== null && worst.get(device) !== 1) worst.set(device, alarm.priority);
    }
    const next = { ...reported, worst, shown, heldSince };
    this.#accounts.set(account, next);
    return next;
  }

  /** Write the alarms of an account; of all accounts where the limit of the stream is reached. */
  #show(account: string): void {
    let count = 0;
    for (const { alarms } of this.#accounts.values()) count += alarms.length;
    const isFull = count > FLEET_ALARMS.inAll;
    const isEnding = !isFull && this.#beyondAll > 0;
    this.#beyondAll = Math.max(0, count - FLEET_ALARMS.inAll);
    if (!isFull && !isEnding) {
      const known = this.#accounts.get(account);
      if (known) this.#write(account, known, known.alarms);
      return;
    }
    const all = [...this.#accounts.values()].flatMap(({ alarms }) => alarms);
    const chosen = new Set(all.sort(byUrgency).slice(0, FLEET_ALARMS.inAll));
    for (const [one, known] of this.#accounts) {
      const kept = known.alarms.filter((alarm) => chosen.has(alarm));
      this.#write(one, known, kept);
    }
  }

  #write(account: string, known: AccountAlarms, alarms: readonly FleetAlarmValue[]): void {
    const shown = new Map(alarms.map((alarm) => [fleetAlarmKey(account, alarm.id), alarm]));
    for (const key of known.shown) if (!shown.has(key)) this.#writer.del(key);
    for (const [key, alarm] of shown) this.#writer.set(key, { ...alarm });
    known.shown = new Set(shown.keys());
  }
}

/** Return how an account's alarms name their owner. */
export const alarmOwner = (
  account: string,
  known: Pick<FleetAccountValue, "id" | "username"> | undefined,
): Pick<FleetAlarmValue, "account" | "username"> => ({
  account: known?.id ?? account,
  username: known?.username ?? null,
});
