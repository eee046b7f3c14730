import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import type { FleetViewer } from "./fleet.ts";
import type { Viewer } from "./owners.ts";
import type { ProvenAccount } from "./tokens.ts";

/** Ids of the farms that a display shows, sorted; null: all, and what belongs to none. */
export type FarmChoice = readonly string[] | null;

/** What a display's token opens: reading, within its farms (HS-2). */
export interface DisplayGrant {
  readonly id: string;
  readonly name: string;
  /** Whose farms they are; of no role, whatever the account's is. */
  readonly account: ProvenAccount;
  readonly farms: FarmChoice;
  readonly scope: DisplaySettings["scope"];
  /** An administrator approved it, and its pages hold `fleet`. */
  readonly mayFleet: boolean;
}

/**
 * `revoked` also stands for a token that no display ever had; `suspended`: its account may not be used; `store-down`:
 * the displays cannot be read.
 */
export type DisplayProof =
  | { readonly ok: true; readonly display: DisplayGrant }
  | { readonly ok: false; readonly why: "revoked" | "suspended" | "store-down" };

/** Displays, as doors and routes see them. */
export interface DisplayDoor {
  prove(token: string): Promise<DisplayProof>;
  /** False once something of the display was changed after the grant was given. */
  stands(display: DisplayGrant): boolean;
  /** It holds a socket here. Returns how to say that it is gone. */
  attend(display: DisplayGrant): () => void;
  /**
   * What the display may see of its account: never with a token of somebody's. Rejects with an `UpstreamError` where
   * the relay has no session of its own for the account (CRED-1).
   */
  view(display: DisplayGrant): Promise<Viewer>;
  /** All devices of all accounts, read with the account's own session. Rejects as `view` does. */
  fleet(display: DisplayGrant): Promise<FleetViewer>;
  /** A token of the relay's own session for the account, for what only the farm API knows. Rejects likewise. */
  readToken(display: DisplayGrant): Promise<string>;
  /** The same for what only administrators read, after the farm API was asked whether the account is one still. */
  fleetToken(display: DisplayGrant): Promise<string>;
  /** Told of each display that is changed, suspended or revoked, at whatever node. Returns how to stop. */
  onChanged(listener: (id: string, what: "changed" | "suspended" | "revoked") => void): () => void;
}
