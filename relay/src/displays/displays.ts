import { randomUUID } from "node:crypto";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import { type AccessEnd, endsOf } from "../access/access-ends.ts";
import { accountOf } from "../access/token-prover.ts";
import type { AccountViews } from "../account/viewing.ts";
import type { FleetService } from "../fleet/fleet-service.ts";
import type { Log } from "../runtime/log.ts";
import { JOB_TIMES, type Schedule } from "../runtime/schedule.ts";
import { systemRandom } from "../store/display-codes.ts";
import { notPersisted } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { NoAccessError, UpstreamStatusError } from "../upstream/errors.ts";
import { createDisplayActivity } from "./display-activity.ts";
import { createDisplayAuth, createFleetViews, type DisplayAuth } from "./display-auth.ts";
import { DisplayRegistry } from "./display-registry.ts";
import { createDisplayService, type DisplayService } from "./display-service.ts";
import { createFarmViews } from "./farm-views.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
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
  /**
   * Return a token after the role was confirmed: another administrator may have removed it, also outside this
   * relay.
   */
  const askedToken = async (accountId: string): Promise<{ token: string; isAdministrator: boolean }> => {
    const token = await owners.ownToken(accountId);
    const account = await accountOf(client, token);
    await service.refresh(account);
    return { token, isAdministrator: account.userType === "ADMIN" };
  };
  const administratorToken = async (accountId: string): Promise<string> => {
    const { token, isAdministrator } = await askedToken(accountId);
    if (!isAdministrator) throw new NoAccessError("the account of this display is not an administrator's");
    return token;
  };
  const fleetViews = createFleetViews({ fleet: owners.fleet, token: administratorToken, timers, log });
  const views = createFarmViews({
    ...{ owners, clock, newEpoch: randomUUID },
    onError: (error) => log.error({ event: "display-view-failed", err: error }, "display view failed"),
  });
  const revokeOf = (accountId: string): void => {
    service.revokeOf(accountId).then(
      (gone) => {
        if (gone > 0)
          log.info(
            { event: "displays-revoked", audit: "displays-revoked", account: accountId, displays: gone },
            "revoked displays of account",
          );
      },
      // The API reports the same at each request for the account.
      notPersisted(
        log,
        "error",
        { event: "displays-not-revoked", account: accountId },
        "cannot revoke displays of account",
      ),
    );
  };
  const revokePairedBefore = (times: ReadonlyMap<string, number>): void => {
    service.revokePairedBefore(times).then(
      (gone) => {
        if (gone > 0)
          log.info(
            { event: "displays-revoked-by-password", audit: "displays-revoked", displays: gone },
            "revoked displays paired before password change",
          );
      },
      (error: unknown) =>
        log.error(
          { event: "displays-not-revoked-by-password", err: error },
          "cannot revoke displays paired before password change",
        ),
    );
  };
  const suspend = async (accountId: string, suspended: boolean): Promise<void> => {
    const displays = await service.suspendOf(accountId, suspended);
    if (displays === 0) return;
    const audit = suspended ? "displays-suspended" : "displays-resumed";
    const message = suspended ? "suspended displays of account" : "resumed displays of account";
    log.info({ event: audit, audit, account: accountId, displays }, message);
  };
  const suspendQuietly = (accountId: string): void => {
    const fields = { event: "displays-not-suspended", account: accountId };
    // The next refused poll reports it again.
    suspend(accountId, true).catch(
      notPersisted(log, "error", fields, "cannot suspend or resume displays of account"),
    );
  };
  /** Ask the farm API if the account may be used. */
  const ask = async (accountId: string): Promise<void> => {
    try {
      await askedToken(accountId);
    } catch (error) {
      const isRefused = error instanceof UpstreamStatusError && error.status === 403;
      if (isRefused) return suspend(accountId, true);
      // Without its own session the relay learns nothing new about the account.
      if (error instanceof NoAccessError) return;
      throw error;
    }
    await suspend(accountId, false);
  };
  const asking = new Set<string>();
  const askAgain = new Set<string>();
  /** Check an account that the farm API may have changed (AUTH-4). */
  const check = (accountId: string): void => {
    if (!service.accounts().has(accountId)) return;
    if (asking.has(accountId)) {
      askAgain.add(accountId);
      return;
    }
    asking.add(accountId);
    ask(accountId)
      .catch((error: unknown) => {
        log.debug(
          { event: "display-account-check-failed", err: error, account: accountId },
          "cannot check account with displays",
        );
        unanswered.add(accountId);
      })
      .finally(() => {
        asking.delete(accountId);
        if (askAgain.delete(accountId)) check(accountId);
      });
  };
  const accessEnded = (end: AccessEnd): void => {
    if (end.kind === "earlier-passwords") {
      revokePairedBefore(end.pairedBefore);
      return;
    }
    const { accountId } = end;
    const pairedBefore = end.kind === "password" ? end.pairedBefore : Number.POSITIVE_INFINITY;
    switch (endsOf(end).displays) {
      case "revoked":
        if (pairedBefore === Number.POSITIVE_INFINITY) revokeOf(accountId);
        else if (Number.isFinite(pairedBefore)) revokePairedBefore(new Map([[accountId, pairedBefore]]));
        return;
      case "suspended":
        suspendQuietly(accountId);
        return;
      case "checked":
        check(accountId);
        return;
      case null:
        return;
    }
  };
  /** Bounded by the accounts that have displays. */
  const unanswered = new Set<string>();
  let checks = 0;
  const checking = repeat(timers, DISPLAY_LIMITS.checkMs, () => {
    const again = [...unanswered];
    unanswered.clear();
    for (const accountId of again) check(accountId);
    checks += 1;
    if (checks % DISPLAY_LIMITS.checksOfSuspended !== 0) return;
    for (const accountId of service.suspendedAccounts()) check(accountId);
  });
  /**
   * Check accounts whose displays are all away: without viewers nothing else requests them, and only the API
   * knows if they still exist.
   */
  const lookForGone = async (): Promise<void> => {
    for (const accountId of service.accounts()) {
      await askedToken(accountId).catch((error: unknown) => {
        log.debug(
          { event: "display-account-without-session", err: error, account: accountId },
          "no relay session for account with displays",
        );
      });
    }
  };
  const prune = async (): Promise<void> => {
    try {
      const gone = await service.prune();
      if (gone > 0) log.info({ event: "unused-displays-revoked", displays: gone }, "revoked unused displays");
      await lookForGone();
    } catch (error) {
      notPersisted(log, "error", { event: "display-check-failed" }, "cannot check displays")(error);
    }
  };
  const pruning = schedule.at(JOB_TIMES.displays, prune);
  return {
    service,
    transport: createDisplayAuth({
      ...{ registry, displayActivity: activity, views, fleetViews, ownToken: owners.ownToken, clock },
    }),
    accessEnded,
    isAdministrators: service.isAdministrators,
    check,
    close() {
      checking.cancel();
      pruning.cancel();
      displayActivity.close();
      registry.close();
    },
  };
}
