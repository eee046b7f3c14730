import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { fleetOf } from "../../../web/src/domain/fleet/fleet-store.ts";
import {
  closableValves,
  needsAlarms,
  unwatchedAccounts,
  urgentAlarms,
} from "../../../web/src/domain/fleet/urgent.ts";
import { valveView } from "../../../web/src/domain/valve/valve-view.ts";
import { linkQuality } from "../../../web/src/live/link.ts";
import type { LiveClient } from "../../../web/src/live/live-client.ts";
import type { Phone } from "./phone.ts";
import type { Press } from "./press.ts";

/** A valve with a button "close" on the screen. */
interface OfferedValve {
  readonly controllerId: string | number;
  readonly channelId: string;
}

/**
 * A page of an administrator: the strip of every page (WARN-1), which loads all alarms while there are any, and the page
 * of an account's valves (WARN-6) while she looks at it.
 */
export class Administrator {
  readonly phone: Phone;
  /** Her presses by their commands. */
  readonly presses = new Map<string, Press>();
  #followed: LiveClient | null = null;

  constructor(phone: Phone) {
    this.phone = phone;
  }

  open(): void {
    this.phone.open();
    this.#follow();
  }

  /** Load the page again; that of an account's valves is not open any more. */
  reload(): void {
    this.phone.reload();
    this.#follow();
  }

  /** Return a valve of an account that the screen lets her close (WARN-6), by an alarm or its device; null for none. */
  offered(accountId: string, serial: number, number: number): OfferedValve | null {
    const ofAccount = this.urgent.filter(({ account }) => `${account}` === accountId);
    const named = ofAccount.flatMap(closableValves).find((valve) => valve.number === number);
    if (named) return named;
    const { owner } = this.phone;
    for (const [channelId, value] of owner?.store.all("channel") ?? []) {
      if (!owner || Number(value.serial) !== serial || value.number !== number) continue;
      const { onoff, command, controllerId } = value;
      const quality = drawnQuality(value, linkQuality(owner.link.getState()));
      return valveView({ onoff, command, quality }).kind === "closed" ? null : { controllerId, channelId };
    }
    return null;
  }

  /** Urgent alarms of all accounts on the screen, most urgent first. */
  get urgent(): readonly FleetAlarmValue[] {
    const live = this.phone.page?.live;
    return live ? urgentAlarms(fleetOf(live).store.all("alarm").values()) : [];
  }

  /** Open valves of all accounts by the sums of the fleet (WARN-4); null: not known. */
  get openValves(): number | null {
    const live = this.phone.page?.live;
    return (live && fleetOf(live).store.list()?.openValves) ?? null;
  }

  /** Return true if the screen names an account as one that the relay cannot watch (WARN-5). */
  namesUnwatched(accountId: string): boolean {
    const live = this.phone.page?.live;
    if (!live) return false;
    const accounts = fleetOf(live).store.all("account");
    const key = fleetAccountKey(accountId);
    return unwatchedAccounts(accounts.values()).some(({ id }) => fleetAccountKey(id) === key);
  }

  /** Subscribe as `useUrgentWatch` does: to the whole while there are urgent alarms, else to the sums. */
  #follow(): void {
    const live = this.phone.page?.live ?? null;
    if (live === null || live === this.#followed) return;
    this.#followed = live;
    const fleet = fleetOf(live);
    let part: "sums" | "whole" = "sums";
    let leave = fleet.use(part);
    const follow = (): void => {
      const next = needsAlarms(fleet.store) ? "whole" : "sums";
      if (next === part) return;
      part = next;
      const before = leave;
      leave = fleet.use(next);
      before();
    };
    fleet.store.subscribe("fleet", follow);
    fleet.store.subscribe("alarm", follow);
  }
}
