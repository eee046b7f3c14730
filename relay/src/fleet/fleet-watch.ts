import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { accountOf } from "../access/token-prover.ts";
import type { AccountViews } from "../account/viewing.ts";
import type { Log } from "../runtime/log.ts";
import type { CapabilitySource } from "../upstream/capabilities.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamError } from "../upstream/errors.ts";
import type { FleetService, FleetViewer } from "./fleet-service.ts";

export interface FleetWatchDeps {
  /** Accounts of this node for which the relay has its own session. */
  readonly accounts: () => Iterable<string>;
  readonly owners: Pick<AccountViews, "ownToken"> & { readonly fleet: Pick<FleetService, "view"> };
  readonly client: Pick<UpstreamClient, "get">;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two checks; a token for polling is renewed as often. */
const LOOK_EVERY_MS = 4 * 60_000;
/** ms from the start to the first check: accounts are loaded first. */
const FIRST_LOOK_MS = 30_000;
/** ms after which an account that was not an administrator's is checked again. */
const ASK_AGAIN_MS = 3_600_000;
/** Accounts whose role is requested in one check. The others follow in the next. */
const ASKED_AT_ONCE = 20;

/**
 * Keep reading the fleet without viewers, with the relay's own session of an administrator (CRED-1). This is
 * for a farm API that does not record when devices went offline and came back. Return a function that stops
 * the watch.
 */
export function startFleetWatch(deps: FleetWatchDeps): () => void {
  const { accounts, owners, client, capabilities, clock, timers, log } = deps;
  // Bounded by the active accounts on this node.
  const notAdministrators = new Map<string, number>();
  let held: { readonly accountId: string; readonly viewer: FleetViewer } | undefined;
  let closed = false;

  const letGo = (): void => {
    held?.viewer.release();
    held = undefined;
  };
  /** Return an administrator's token, or null for an account with another role. */
  const administratorToken = async (accountId: string): Promise<string | null> => {
    const token = await owners.ownToken(accountId);
    return (await accountOf(client, token)).userType === "ADMIN" ? token : null;
  };
  const renew = async (accountId: string, viewer: FleetViewer): Promise<void> => {
    const token = await administratorToken(accountId);
    if (token === null) letGo();
    else viewer.renew(token);
  };
  const unasked = (): string[] => {
    const own = new Set(accounts());
    for (const [accountId, askedAt] of notAdministrators) {
      if (!own.has(accountId) || clock.monotonic() - askedAt > ASK_AGAIN_MS)
        notAdministrators.delete(accountId);
    }
    return [...own].filter((accountId) => !notAdministrators.has(accountId)).slice(0, ASKED_AT_ONCE);
  };
  const begin = async (): Promise<void> => {
    for (const accountId of unasked()) {
      const token = await administratorToken(accountId);
      if (token === null) {
        notAdministrators.set(accountId, clock.monotonic());
        continue;
      }
      const viewer = await owners.fleet.view(token);
      if (closed) viewer.release();
      else held = { accountId, viewer };
      return;
    }
  };
  const look = async (): Promise<void> => {
    if (capabilities.has("fleet-presence")) letGo();
    else if (held) await renew(held.accountId, held.viewer);
    else await begin();
  };
  const lookRegularly = (): void => {
    look()
      .catch((error: unknown) => {
        // The API or the session is unavailable: the next check tries again, with another administrator if
        // there is one.
        if (!(error instanceof UpstreamError))
          log.error({ event: "fleet-watch-failed", err: error }, "fleet watch failed");
        else log.debug({ event: "fleet-watch-unavailable", err: error }, "cannot watch fleet yet");
      })
      .finally(() => {
        if (!closed) timer = timers.after(LOOK_EVERY_MS, lookRegularly);
      });
  };
  let timer = timers.after(FIRST_LOOK_MS, lookRegularly);

  return () => {
    closed = true;
    timer.cancel();
    letGo();
  };
}
