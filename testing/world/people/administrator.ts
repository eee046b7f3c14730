import type { FleetAlarmValue } from "@mulkko/shared/live/fleet";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { fleetOf } from "../../../web/src/domain/fleet/fleet-store.ts";
import { needsAlarms, unwatchedAccounts, urgentAlarms } from "../../../web/src/domain/fleet/urgent.ts";
import type { LiveClient } from "../../../web/src/live/live-client.ts";
import type { Phone } from "./phone.ts";

/** A page of an administrator: the strip of every page (WARN-1), which loads all alarms while there are any. */
export class Administrator {
  readonly phone: Phone;
  #followed: LiveClient | null = null;

  constructor(phone: Phone) {
    this.phone = phone;
  }

  open(): void {
    this.phone.open();
    this.#follow();
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
