import type { StreamName } from "@mulkko/shared/live/client-messages";
import type { ProvenAccount, TokenProver } from "../access/token-prover.ts";
import type { AccountViews, Viewer } from "../account/viewing.ts";
import type { DisplayAuth } from "../displays/display-auth.ts";
import type { FleetService, FleetViewer } from "../fleet/fleet-service.ts";
import { type DisplayGrant, isAdministrator, READ_AS } from "../http/caller.ts";
import type { Log } from "../runtime/log.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import type { AuditTrail } from "../upstream/audit-trail.ts";
import { type CloseReason, closeReason } from "./close-reason.ts";

/** An authenticated client, with what it may read: an account, or a display of one (HS-2). */
export interface Client {
  readonly proven: ProvenAccount;
  readonly display: DisplayGrant | null;
  /** The name by which `onEnded` reports its end. It does not contain a display's token. */
  readonly bearer: string;
  readonly isAdministrator: boolean;
  readonly mayFleet: boolean;
  /** Count a display's socket. Return the function that removes it; null if the display has just changed. */
  attend(): (() => void) | null;
  view(): Promise<Viewer>;
  /** View another account, as an administrator; this is logged and audited. */
  viewAs(accountId: string, where: { stream: StreamName; session: string }): Promise<Viewer>;
  fleet(): Promise<FleetViewer>;
}

/** Identifies clients, and reports when they may no longer read. */
export interface Access {
  identify(token: string): Promise<{ ok: true; client: Client } | { ok: false; last: CloseReason }>;
  /**
   * Return why a token no longer counts, or null. While the API cannot be reached it counts until its end.
   * @param again ask the API, whatever proof is cached
   */
  endOf(token: string, again: boolean): Promise<CloseReason | null>;
  /** True while the farm API reports accounts whose tokens may have ended. */
  readonly receivesEnds: () => boolean;
  /** Subscribe to tokens that were rejected, and displays that were changed or revoked, on any node. */
  onEnded(listener: (bearer: string, last: CloseReason) => void): () => void;
  /** Subscribe to accounts whose tokens have to be proven again (AUTH-4). */
  onDoubted(listener: (accountId: string) => void): () => void;
}

export interface AccessDeps {
  readonly owners: AccountViews & { readonly fleet: Pick<FleetService, "view"> };
  readonly prover: Pick<TokenProver, "prove" | "proveAgain" | "onRejected" | "onDoubted">;
  readonly displays: DisplayAuth;
  readonly audit: Pick<AuditTrail, "readAs">;
  readonly receivesEnds: () => boolean;
  readonly log: Log;
}

const DISPLAY_ENDS = {
  changed: closeReason.displayChanged,
  suspended: closeReason.disabled,
  revoked: closeReason.displayRevoked,
  "store-down": closeReason.storeDown,
} as const;

/** AUTH-4: the end of a session whose first token is not accepted. */
const TOKEN_ENDS = {
  rejected: closeReason.tokenRejected,
  disabled: closeReason.disabled,
  "upstream-down": closeReason.upstreamDown,
} as const;

const displayBearer = (id: string): string => `display ${id}`;

export function createAccess(deps: AccessDeps): Access {
  const { owners, prover, displays, audit, receivesEnds, log } = deps;

  const viewAs = (proven: ProvenAccount): Client["viewAs"] => {
    const admin = proven.accountId;
    return (account, where) => {
      log.info({ event: "read-as", audit: "read-as", admin, account, ...where }, READ_AS);
      audit.readAs(proven.account, account);
      return owners.viewAs(account);
    };
  };
  const userOf = (proven: ProvenAccount, token: string): Client => ({
    proven,
    display: null,
    bearer: token,
    isAdministrator: isAdministrator(proven),
    mayFleet: isAdministrator(proven),
    attend: () => () => undefined,
    view: () => owners.view(proven, token),
    viewAs: viewAs(proven),
    fleet: () => owners.fleet.view(token),
  });
  const displayOf = (display: DisplayGrant): Client => ({
    proven: display.account,
    display,
    bearer: displayBearer(display.id),
    isAdministrator: false,
    mayFleet: display.mayFleet,
    attend: () => (displays.isCurrent(display) ? displays.attend(display) : null),
    view: () => displays.view(display),
    viewAs: viewAs(display.account),
    fleet: () => displays.fleet(display),
  });

  return {
    async identify(token) {
      if (isDisplayToken(token)) {
        const proof = await displays.prove(token);
        if (!proof.ok) return { ok: false, last: DISPLAY_ENDS[proof.why] };
        return { ok: true, client: displayOf(proof.display) };
      }
      const proof = await prover.prove(token);
      if (!proof.ok) return { ok: false, last: TOKEN_ENDS[proof.failure.kind] };
      return { ok: true, client: userOf(proof.proven, token) };
    },
    async endOf(token, again) {
      const proof = await (again ? prover.proveAgain(token) : prover.prove(token));
      if (proof.ok || proof.failure.kind === "upstream-down") return null;
      return proof.failure.kind === "disabled" ? closeReason.disabled : closeReason.revoked;
    },
    receivesEnds,
    onEnded(listener) {
      const stops = [
        prover.onRejected((token) => listener(token, closeReason.tokenRejected)),
        displays.onChanged((id, what) => listener(displayBearer(id), DISPLAY_ENDS[what])),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    onDoubted: (listener) => prover.onDoubted(listener),
  };
}
