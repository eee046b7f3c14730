import { randomUUID } from "node:crypto";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { DisplayDoor } from "../ports/displays.ts";
import type { Log } from "../ports/log.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { accountOf } from "../upstream/account-of.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { NoAccessError, UpstreamStatusError } from "../upstream/errors.ts";
import { systemLots } from "./codes.ts";
import { createDisplayBook } from "./display-book.ts";
import { createDisplayDesk, type DisplayDesk } from "./display-desk.ts";
import { createDisplayDoor } from "./display-door.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
import { createLostAnswers } from "./lost-answers.ts";
import { createSightings } from "./sightings.ts";

/** Everything about paired screens on this node. */
export interface Displays {
  readonly desk: DisplayDesk;
  readonly door: DisplayDoor;
  /** There is no such account any more, or it has another password: its displays are revoked. */
  revokeOf(accountId: string): void;
  /** True if the account was an administrator's when the farm API was asked about it for its displays. */
  isAdministrators(accountId: string): boolean;
  /** The account may not be used: its displays show nothing until it may again. */
  suspend(accountId: string): void;
  /** The farm API may say otherwise of the account than before: it is asked. */
  check(accountId: string): void;
  close(): void;
}

export function createDisplays(parts: {
  store: Pick<Store, "displays" | "node" | "onAvailable">;
  owners: Pick<Owners, "viewAs" | "fleet" | "ownToken">;
  client: Pick<UpstreamClient, "get">;
  clock: Clock;
  timers: Timers;
  log: Log;
}): Displays {
  const { store, owners, client, clock, timers, log } = parts;
  const book = createDisplayBook({ store, timers, log });
  const sightings = createSightings({ store: store.displays, clock, timers, log });
  const lost = createLostAnswers();
  const desk = createDisplayDesk({
    store: store.displays,
    book,
    sightings,
    clock,
    lots: systemLots,
    lost,
    newId: randomUUID,
  });
  const heard = {
    attend(id: string) {
      lost.used(id);
      return sightings.attend(id);
    },
    asked(id: string) {
      lost.used(id);
      sightings.asked(id);
    },
  };
  /** Somebody may be made no administrator by whoever is one, also past this relay. */
  const askedToken = async (accountId: string): Promise<{ token: string; isAdministrator: boolean }> => {
    const token = await owners.ownToken(accountId);
    const account = await accountOf(client, token);
    await desk.refresh(account);
    return { token, isAdministrator: account.userType === "ADMIN" };
  };
  const administratorToken = async (accountId: string): Promise<string> => {
    const { token, isAdministrator } = await askedToken(accountId);
    if (!isAdministrator) throw new NoAccessError("the account of this display is no administrator's");
    return token;
  };
  const revokeOf = (accountId: string): void => {
    desk.revokeOf(accountId).then(
      (gone) => {
        if (gone > 0)
          log.info(
            { audit: "displays-revoked", account: accountId, displays: gone },
            "the displays of an account were revoked",
          );
      },
      (error: unknown) => {
        // The API says the same of the account each time that it is asked.
        if (!(error instanceof StoreUnavailableError))
          log.error({ err: error, account: accountId }, "the displays of an account could not be revoked");
      },
    );
  };
  const suspend = async (accountId: string, suspended: boolean): Promise<void> => {
    const displays = await desk.suspendOf(accountId, suspended);
    if (displays === 0) return;
    const audit = suspended ? "displays-suspended" : "displays-resumed";
    log.info({ audit, account: accountId, displays }, "the displays of an account follow its state");
  };
  const suspendQuietly = (accountId: string): void => {
    suspend(accountId, true).catch((error: unknown) => {
      // The next poll that is refused says it again.
      if (!(error instanceof StoreUnavailableError))
        log.error({ err: error, account: accountId }, "the displays of an account could not be suspended");
    });
  };
  /** Ask the farm API whether the account may be used. */
  const ask = async (accountId: string): Promise<void> => {
    try {
      await askedToken(accountId);
    } catch (error) {
      const isRefused = error instanceof UpstreamStatusError && error.status === 403;
      if (isRefused) return suspend(accountId, true);
      // Without a session of its own the relay learns nothing new of the account.
      if (error instanceof NoAccessError) return;
      throw error;
    }
    await suspend(accountId, false);
  };
  const asking = new Set<string>();
  const askAgain = new Set<string>();
  /** The farm API may say otherwise of the account than before (AUTH-4). */
  const check = (accountId: string): void => {
    if (!desk.accounts().has(accountId)) return;
    if (asking.has(accountId)) {
      askAgain.add(accountId);
      return;
    }
    asking.add(accountId);
    ask(accountId)
      .catch((error: unknown) => {
        log.debug({ err: error, account: accountId }, "an account with displays could not be asked for");
        unanswered.add(accountId);
      })
      .finally(() => {
        asking.delete(accountId);
        if (askAgain.delete(accountId)) check(accountId);
      });
  };
  /** Bounded by the accounts that have displays. */
  const unanswered = new Set<string>();
  let checks = 0;
  const checkRegularly = (): void => {
    checking = timers.after(DISPLAY_LIMITS.checkMs, checkRegularly);
    const again = [...unanswered];
    unanswered.clear();
    for (const accountId of again) check(accountId);
    checks += 1;
    if (checks % DISPLAY_LIMITS.checksOfSuspended !== 0) return;
    for (const accountId of desk.suspendedAccounts()) check(accountId);
  };
  let checking = timers.after(DISPLAY_LIMITS.checkMs, checkRegularly);
  /** An account whose displays are all away is asked for by nobody: whether there still is one says the API. */
  const lookForGone = async (): Promise<void> => {
    for (const accountId of desk.accounts()) {
      await askedToken(accountId).catch((error: unknown) => {
        log.debug(
          { err: error, account: accountId },
          "an account with displays has no session of the relay's",
        );
      });
    }
  };
  const prune = (): void => {
    timer = timers.after(DISPLAY_LIMITS.pruneMs, prune);
    desk
      .prune()
      .then((gone) => {
        if (gone > 0) log.info({ displays: gone }, "displays that nobody uses were revoked");
        return lookForGone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError))
          log.error({ err: error }, "displays were not looked over");
      });
  };
  let timer = timers.after(DISPLAY_LIMITS.pruneMs, prune);
  return {
    desk,
    door: createDisplayDoor({
      book,
      sightings: heard,
      owners,
      administratorToken,
      clock,
      timers,
      newEpoch: randomUUID,
      log,
    }),
    revokeOf,
    isAdministrators: desk.isAdministrators,
    suspend: suspendQuietly,
    check,
    close() {
      checking.cancel();
      timer.cancel();
      sightings.close();
      book.close();
    },
  };
}
