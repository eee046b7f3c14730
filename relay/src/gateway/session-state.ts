import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import type { DisplayGrant } from "../ports/displays.ts";
import type { Viewer } from "../ports/owners.ts";
import type { ProvenAccount } from "../ports/tokens.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface Live {
  readonly kind: "live";
  readonly proven: ProvenAccount;
  readonly viewer: Viewer;
  readonly subscriptions: Subscriptions;
  /** Null: a person or a machine with a token of the farm API. */
  readonly display: DisplayGrant | null;
  /** Monotonic ms at which the token ends; of a display: never. */
  tokenEnds: number;
}

/** How far a session has come. */
export type State =
  | { readonly kind: "awaiting-hello" }
  /** The token is being proven, then the account's state read; what the client says meanwhile waits. */
  | { readonly kind: "proving"; readonly waiting: ClientMessage[] }
  | Live
  | { readonly kind: "closing" };
