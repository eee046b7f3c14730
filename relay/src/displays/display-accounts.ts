import type { Timer, Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import { type AccessEnd, endsOf } from "../access/access-ends.ts";
import { accountOf } from "../access/token-prover.ts";
import type { AccountViews } from "../account/viewing.ts";
import type { Log } from "../runtime/log.ts";
import { JOB_TIMES, type Schedule } from "../runtime/schedule.ts";
import { notPersisted } from "../store/errors.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { NoAccessError, UpstreamStatusError } from "../upstream/errors.ts";
import type { DisplayService } from "./display-service.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

export interface DisplayAccountsDeps {
  readonly service: DisplayService;
  readonly owners: Pick<AccountViews, "ownToken">;
  readonly client: Pick<UpstreamClient, "get">;
  readonly timers: Timers;
  readonly schedule: Schedule;
  readonly log: Log;
}

/**
 * The accounts that have displays, as the farm API knows them: displays are revoked, suspended and resumed with their
 * account (AUTH-4). Of each account:
 *
 * ```
 *   quiet ──check──▶ asking ──answered──▶ quiet
 *     ▲               │    └─check────▶ asked again after the answer
 *     │               └──no answer───▶ unanswered ──every checkMs──▶ asking
 *     └── suspended accounts are asked every checksOfSuspended-th time
 * ```
 */
export class DisplayAccounts {
  readonly #deps: DisplayAccountsDeps;
  readonly #asking = new Set<string>();
  readonly #askAgain = new Set<string>();
  /** Bounded by the accounts that have displays. */
  readonly #unanswered = new Set<string>();
  #checks = 0;
  readonly #jobs: readonly Pick<Timer, "cancel">[];

  constructor(deps: DisplayAccountsDeps) {
    this.#deps = deps;
    this.#jobs = [
      repeat(deps.timers, DISPLAY_LIMITS.checkMs, () => this.#checkUnanswered()),
      deps.schedule.at(JOB_TIMES.displays, () => this.#prune()),
    ];
  }

  /** Apply an end of access to the displays of its account (AUTH-4). */
  accessEnded(end: AccessEnd): void {
    if (end.kind === "earlier-passwords") {
      this.#revokePairedBefore(end.pairedBefore);
      return;
    }
    const { accountId } = end;
    const pairedBefore = end.kind === "password" ? end.pairedBefore : Number.POSITIVE_INFINITY;
    switch (endsOf(end).displays) {
      case "revoked":
        if (pairedBefore === Number.POSITIVE_INFINITY) this.#revokeOf(accountId);
        else if (Number.isFinite(pairedBefore))
          this.#revokePairedBefore(new Map([[accountId, pairedBefore]]));
        return;
      case "suspended":
        this.#suspendQuietly(accountId);
        return;
      case "checked":
        this.check(accountId);
        return;
      case null:
        return;
    }
  }

  /** Check an account that the farm API may have changed (AUTH-4). */
  check(accountId: string): void {
    const { log, service } = this.#deps;
    if (!service.accounts().has(accountId)) return;
    if (this.#asking.has(accountId)) {
      this.#askAgain.add(accountId);
      return;
    }
    this.#asking.add(accountId);
    this.#ask(accountId)
      .catch((error: unknown) => {
        log.debug(
          { event: "display-account-check-failed", err: error, account: accountId },
          "cannot check account with displays",
        );
        this.#unanswered.add(accountId);
      })
      .finally(() => {
        this.#asking.delete(accountId);
        if (this.#askAgain.delete(accountId)) this.check(accountId);
      });
  }

  /** Return a token of the relay for an administrator's account; rejects with a `NoAccessError` for another one. */
  async administratorToken(accountId: string): Promise<string> {
    const { token, isAdministrator } = await this.#askedToken(accountId);
    if (!isAdministrator) throw new NoAccessError("the account of this display is not an administrator's");
    return token;
  }

  close(): void {
    for (const job of this.#jobs) job.cancel();
  }

  /**
   * Return a token after the role was confirmed: another administrator may have removed it, also outside this
   * relay.
   */
  async #askedToken(accountId: string): Promise<{ token: string; isAdministrator: boolean }> {
    const { client, owners, service } = this.#deps;
    const token = await owners.ownToken(accountId);
    const account = await accountOf(client, token);
    await service.refresh(account);
    return { token, isAdministrator: account.userType === "ADMIN" };
  }

  /** Ask the farm API if the account may be used. */
  async #ask(accountId: string): Promise<void> {
    try {
      await this.#askedToken(accountId);
    } catch (error) {
      const isRefused = error instanceof UpstreamStatusError && error.status === 403;
      if (isRefused) return this.#suspend(accountId, true);
      // Without its own session the relay learns nothing new about the account.
      if (error instanceof NoAccessError) return;
      throw error;
    }
    await this.#suspend(accountId, false);
  }

  #checkUnanswered(): void {
    const again = [...this.#unanswered];
    this.#unanswered.clear();
    for (const accountId of again) this.check(accountId);
    this.#checks += 1;
    if (this.#checks % DISPLAY_LIMITS.checksOfSuspended !== 0) return;
    for (const accountId of this.#deps.service.suspendedAccounts()) this.check(accountId);
  }

  #revokeOf(accountId: string): void {
    const { log, service } = this.#deps;
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
  }

  #revokePairedBefore(times: ReadonlyMap<string, number>): void {
    const { log, service } = this.#deps;
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
  }

  async #suspend(accountId: string, suspended: boolean): Promise<void> {
    const displays = await this.#deps.service.suspendOf(accountId, suspended);
    if (displays === 0) return;
    const audit = suspended ? "displays-suspended" : "displays-resumed";
    const message = suspended ? "suspended displays of account" : "resumed displays of account";
    this.#deps.log.info({ event: audit, audit, account: accountId, displays }, message);
  }

  #suspendQuietly(accountId: string): void {
    const fields = { event: "displays-not-suspended", account: accountId };
    // The next refused poll reports it again.
    this.#suspend(accountId, true).catch(
      notPersisted(this.#deps.log, "error", fields, "cannot suspend or resume displays of account"),
    );
  }

  async #prune(): Promise<void> {
    const { log, service } = this.#deps;
    try {
      const gone = await service.prune();
      if (gone > 0) log.info({ event: "unused-displays-revoked", displays: gone }, "revoked unused displays");
      await this.#lookForGone();
    } catch (error) {
      notPersisted(log, "error", { event: "display-check-failed" }, "cannot check displays")(error);
    }
  }

  /**
   * Check accounts whose displays are all away: without viewers nothing else requests them, and only the API
   * knows if they still exist.
   */
  async #lookForGone(): Promise<void> {
    for (const accountId of this.#deps.service.accounts()) {
      await this.#askedToken(accountId).catch((error: unknown) => {
        this.#deps.log.debug(
          { event: "display-account-without-session", err: error, account: accountId },
          "no relay session for account with displays",
        );
      });
    }
  }
}
