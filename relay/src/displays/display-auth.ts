import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { DisplayViews } from "../account/reader.ts";
import type { AccountViews } from "../account/viewing.ts";
import type { FleetService, FleetViewer } from "../fleet/fleet-service.ts";
import type { DisplayGrant } from "../http/caller.ts";
import type { Log } from "../runtime/log.ts";
import { hashOf } from "../store/display-codes.ts";
import { accountIdOf, type DisplayRecord } from "../store/display-record.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { DisplayActivity } from "./display-activity.ts";
import type { DisplayRegistry } from "./display-registry.ts";
import type { FarmViews } from "./farm-views.ts";
import { DISPLAY_LIMITS } from "./limits.ts";

/** The role in `welcome` for a display, which has none. */
export const DISPLAY_ROLE = "DISPLAY";
/** AUTH-1: a display's token has no end; the time after which its lifetime is sent again, ms. */
const TTL_MS = 7 * 24 * 3_600_000;

export interface DisplayAuthDeps {
  readonly registry: DisplayRegistry;
  readonly displayActivity: Pick<DisplayActivity, "attend" | "asked">;
  readonly views: FarmViews;
  readonly fleetViews: FleetViews;
  readonly ownToken: AccountViews["ownToken"];
  readonly clock: Clock;
}

export function createDisplayAuth(deps: DisplayAuthDeps): DisplayAuth {
  const { registry, displayActivity, views, fleetViews, ownToken, clock } = deps;
  const changedAt = new WeakMap<DisplayGrant, number>();

  const grantOf = (record: DisplayRecord): DisplayGrant => {
    const { id, account, settings } = record;
    const grant: DisplayGrant = {
      id,
      name: settings.name,
      account: {
        account: { ...account, userType: DISPLAY_ROLE },
        accountId: accountIdOf(record),
        expiresAt: clock.now() + TTL_MS,
      },
      farms: settings.farms === null ? null : [...new Set(settings.farms.map(String))].sort(),
      scope: settings.scope,
      mayFleet: account.userType === "ADMIN" && settings.pages.includes("fleet"),
    };
    changedAt.set(grant, record.changedAt);
    return grant;
  };

  return {
    async prove(token) {
      const hash = hashOf(token);
      let record = registry.byHash(hash);
      if (record === undefined) {
        try {
          // Another node may have paired it just now: refresh before a display is called revoked.
          await registry.look();
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          return { ok: false, why: "store-down" };
        }
        record = registry.byHash(hash);
      }
      if (record === undefined) return { ok: false, why: "revoked" };
      if (record.suspended) return { ok: false, why: "suspended" };
      displayActivity.asked(record.id);
      return { ok: true, display: grantOf(record) };
    },
    isCurrent: (display) => registry.byId(display.id)?.changedAt === changedAt.get(display),
    attend: ({ id }) => displayActivity.attend(id),
    view: ({ account, farms }) => views.view(account.accountId, farms),
    readToken: ({ account }) => ownToken(account.accountId),
    fleetToken: ({ account }) => fleetViews.token(account.accountId),
    fleet: ({ account }) => fleetViews.view(account.accountId),
    onChanged: (listener) =>
      registry.onChanged(({ id, record }) => {
        if (record === null) listener(id, "revoked");
        else listener(id, record.suspended ? "suspended" : "changed");
      }),
  };
}

/** The fleet, as the displays of administrators see it. */
interface FleetViews {
  /**
   * Return the token of an account's own session, after the farm API confirmed the account's role. Its
   * displays use that role from then on. Rejects as `AccountViews.ownToken`, and with a `NoAccessError` for an
   * account without the administrator role.
   */
  token(accountId: string): Promise<string>;
  /** View the fleet with that token, which is renewed as long as the view is held. Rejects as `token`. */
  view(accountId: string): Promise<FleetViewer>;
}

export function createFleetViews(deps: {
  fleet: Pick<FleetService, "view">;
  token: FleetViews["token"];
  timers: Timers;
  log: Log;
}): FleetViews {
  const { fleet, token, timers, log } = deps;
  return {
    token,
    async view(accountId) {
      const viewer = await fleet.view(await token(accountId));
      const renewLater = () =>
        timers.after(DISPLAY_LIMITS.fleetTokenMs, () => {
          renewing = renewLater();
          token(accountId).then(viewer.renew, (error: unknown) => {
            log.debug(
              { event: "fleet-token-not-renewed", err: error, account: accountId },
              "cannot renew fleet token yet",
            );
          });
        });
      let renewing = renewLater();
      return {
        ...viewer,
        renew: () => undefined,
        release() {
          renewing.cancel();
          viewer.release();
        },
      };
    },
  };
}

/**
 * `revoked` also covers a token that no display ever had; `suspended`: its account may not be used;
 * `store-down`: the displays cannot be read.
 */
export type DisplayProof =
  | { readonly ok: true; readonly display: DisplayGrant }
  | { readonly ok: false; readonly why: "revoked" | "suspended" | "store-down" };

/** Display access, as transports and routes use it. */
export interface DisplayAuth extends DisplayViews {
  prove(token: string): Promise<DisplayProof>;
  /** False once the display has changed after the grant was given. */
  isCurrent(display: DisplayGrant): boolean;
  /** Count a socket of the display on this node. Return the function that removes it. */
  attend(display: DisplayGrant): () => void;
  /**
   * Return a viewer of all devices of all accounts, with the account's own session. Rejects as `view` does.
   */
  fleet(display: DisplayGrant): Promise<FleetViewer>;
  /**
   * Return a token of the relay's own session for the account, for requests to the farm API. Rejects as
   * `view` does.
   */
  readToken(display: DisplayGrant): Promise<string>;
  /**
   * Return such a token for administrators' data, after the farm API has confirmed that the account is still
   * an administrator.
   */
  fleetToken(display: DisplayGrant): Promise<string>;
  /**
   * Subscribe to changes, suspensions and revocations of displays on any node. Return the unsubscribe
   * function.
   */
  onChanged(listener: (id: string, what: "changed" | "suspended" | "revoked") => void): () => void;
}
