import { randomUUID } from "node:crypto";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { AccessEnd } from "../access/access-ends.ts";
import type { AccountViews } from "../account/viewing.ts";
import type { FleetService } from "../fleet/fleet-service.ts";
import type { Log } from "../runtime/log.ts";
import type { Schedule } from "../runtime/schedule.ts";
import { systemRandom } from "../store/display-codes.ts";
import type { Store } from "../store/store.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { DisplayAccounts } from "./display-accounts.ts";
import { createDisplayActivity } from "./display-activity.ts";
import { createDisplayAuth, createFleetViews, type DisplayAuth } from "./display-auth.ts";
import { DisplayRegistry } from "./display-registry.ts";
import { createDisplayService, type DisplayService } from "./display-service.ts";
import { createFarmViews } from "./farm-views.ts";
import { createIssuedTokens } from "./pairing-answers.ts";

/** Everything about paired displays on this node. */
export interface Displays {
  readonly service: DisplayService;
  readonly transport: DisplayAuth;
  /** Apply an end of access to the displays of its account (AUTH-4). */
  accessEnded(end: AccessEnd): void;
  /**
   * Return true if the account was an administrator's in the last answer of the farm API for its displays.
   */
  isAdministrators(accountId: string): boolean;
  /** Check an account that the farm API may have changed. */
  check(accountId: string): void;
  close(): void;
}

export function createDisplays(deps: {
  store: Pick<Store, "displays" | "node" | "onAvailable">;
  owners: Pick<AccountViews, "viewAs" | "ownToken"> & { readonly fleet: FleetService };
  client: Pick<UpstreamClient, "get">;
  clock: Clock;
  timers: Timers;
  schedule: Schedule;
  log: Log;
}): Displays {
  const { store, owners, client, clock, timers, schedule, log } = deps;
  const registry = new DisplayRegistry({ store, timers, log });
  const displayActivity = createDisplayActivity({ store: store.displays, clock, timers, log });
  const issuedTokens = createIssuedTokens();
  const service = createDisplayService({
    store: store.displays,
    registry,
    displayActivity,
    clock,
    random: systemRandom,
    issuedTokens,
    newId: randomUUID,
  });
  const activity = {
    attend(id: string) {
      issuedTokens.noteUsed(id);
      return displayActivity.attend(id);
    },
    asked(id: string) {
      issuedTokens.noteUsed(id);
      displayActivity.asked(id);
    },
  };
  const accounts = new DisplayAccounts({ service, owners, client, timers, schedule, log });
  const fleetViews = createFleetViews({
    fleet: owners.fleet,
    token: (accountId) => accounts.administratorToken(accountId),
    timers,
    log,
  });
  const views = createFarmViews({
    ...{ owners, clock, newEpoch: randomUUID },
    onError: (error) => log.error({ event: "display-view-failed", err: error }, "display view failed"),
  });
  return {
    service,
    transport: createDisplayAuth({
      ...{ registry, displayActivity: activity, views, fleetViews, ownToken: owners.ownToken, clock },
    }),
    accessEnded: (end) => accounts.accessEnded(end),
    isAdministrators: service.isAdministrators,
    check: (accountId) => accounts.check(accountId),
    close() {
      accounts.close();
      displayActivity.close();
      registry.close();
    },
  };
}
