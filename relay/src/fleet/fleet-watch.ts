import type { Clock } from "@mulkko/shared/rules/clock";
import type { FleetDesk, FleetViewer } from "../ports/fleet.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import { accountOf } from "../upstream/account-of.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { UpstreamError } from "../upstream/errors.ts";

export interface FleetWatchParts {
  /** Accounts of this node for which the relay has a session of its own. */
  readonly accounts: () => Iterable<string>;
  readonly ownToken: (accountId: string) => Promise<string>;
  readonly fleet: Pick<FleetDesk, "view">;
  readonly client: Pick<UpstreamClient, "get">;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** ms between two looks; a token for polling is renewed as often. */
const LOOK_EVERY_MS = 4 * 60_000;
/** ms after the start until the first look: accounts are taken up first. */
const FIRST_LOOK_MS = 30_000;
/** ms after which an account that was no administrator's is asked for again. */
const ASK_AGAIN_MS = 3_600_000;
/** Accounts that are asked what they are at one look; the others follow at the next. */
const ASKED_AT_ONCE = 20;

/**
 * Keep the fleet read while no one looks, with an administrator's session of the relay's own (CRED-1), in front of a
 * farm API that does not record when devices went and came back. Return how to stop.
 */
export function startFleetWatch(parts: FleetWatchParts): () => void {
  const { accounts, ownToken, fleet, client, capabilities, clock, timers, log } = parts;
  // Bounded by the accounts at work on this node.
  const notAdministrators = new Map<string, number>();
  let held: { readonly accountId: string; readonly viewer: FleetViewer } | undefined;
  let closed = false;

  const letGo = (): void => {
    held?.viewer.release();
    held = undefined;
  };
  /** An administrator's token; null where the account is none. */
  const administratorToken = async (accountId: string): Promise<string | null> => {
    const token = await ownToken(accountId);
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
      const viewer = await fleet.view(token);
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
        // The API or the session is away: the next look tries again, with another administrator where there is one.
        if (!(error instanceof UpstreamError)) log.error({ err: error }, "the fleet watch failed");
        else log.debug({ err: error }, "the fleet could not be watched yet");
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
