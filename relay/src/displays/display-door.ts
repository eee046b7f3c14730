import type { Clock } from "@mulkko/shared/rules/clock";
import type { DisplayDoor, DisplayGrant } from "../ports/displays.ts";
import type { Log } from "../ports/log.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { hashOf } from "./codes.ts";
import type { DisplayBook } from "./display-book.ts";
import { accountIdOf, type DisplayRecord } from "./display-record.ts";
import { createFarmViews } from "./farm-views.ts";
import { DISPLAY_LIMITS } from "./limits.ts";
import type { Sightings } from "./sightings.ts";

/** What `welcome` says of the account in the place of a role: a display has none. */
export const DISPLAY_ROLE = "DISPLAY";
/** AUTH-1: a display's token has no end; it is said again so often, ms. */
const TTL_MS = 7 * 24 * 3_600_000;

export interface DisplayDoorParts {
  readonly book: DisplayBook;
  readonly sightings: Pick<Sightings, "attend" | "asked">;
  readonly owners: Pick<Owners, "viewAs" | "fleet" | "ownToken">;
  /**
   * The token of an account's own session, after the farm API was asked what the account is now: its displays go by
   * that from then on. Rejects as `Owners.ownToken`, and with a `NoAccessError` where it is no administrator's.
   */
  readonly administratorToken: (accountId: string) => Promise<string>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newEpoch: () => string;
  readonly log: Log;
}

export function createDisplayDoor(parts: DisplayDoorParts): DisplayDoor {
  const { book, sightings, owners, administratorToken, clock, timers, newEpoch, log } = parts;
  const onError = (error: unknown): void => log.error({ err: error }, "a display's view failed");
  const views = createFarmViews({ owners, clock, newEpoch, onError });
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
      let record = book.byHash(hash);
      if (record === undefined) {
        try {
          // Another node may have paired it a moment ago; and nobody is called revoked on an old copy's word.
          await book.look();
        } catch (error) {
          if (!(error instanceof StoreUnavailableError)) throw error;
          return { ok: false, why: "store-down" };
        }
        record = book.byHash(hash);
      }
      if (record === undefined) return { ok: false, why: "revoked" };
      if (record.suspended) return { ok: false, why: "suspended" };
      sightings.asked(record.id);
      return { ok: true, display: grantOf(record) };
    },
    stands: (display) => book.byId(display.id)?.changedAt === changedAt.get(display),
    attend: ({ id }) => sightings.attend(id),
    view: ({ account, farms }) => views.view(account.accountId, farms),
    readToken: ({ account }) => owners.ownToken(account.accountId),
    fleetToken: ({ account }) => administratorToken(account.accountId),
    async fleet({ account }) {
      const { accountId } = account;
      const viewer = await owners.fleet.view(await administratorToken(accountId));
      const renewLater = () =>
        timers.after(DISPLAY_LIMITS.fleetTokenMs, () => {
          renewing = renewLater();
          administratorToken(accountId).then(viewer.renew, (error: unknown) => {
            log.debug({ err: error, account: accountId }, "a fleet's token could not be renewed yet");
          });
        });
      let renewing = renewLater();
      return {
        stream: viewer.stream,
        renew: () => undefined,
        active: viewer.active,
        release() {
          renewing.cancel();
          viewer.release();
        },
      };
    },
    onChanged: (listener) =>
      book.onChanged(({ id, record }) => {
        if (record === null) listener(id, "revoked");
        else listener(id, record.suspended ? "suspended" : "changed");
      }),
  };
}
