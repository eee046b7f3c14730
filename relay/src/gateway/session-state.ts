import type { ClientMessage } from "@mulkko/shared/live/client-messages";
import type { Viewer } from "../account/viewing.ts";
import type { DisplayGrant } from "../http/display-grant.ts";
import type { ProvenAccount } from "../upstream/tokens.ts";
import type { Subscriptions } from "./subscriptions.ts";

export interface Live {
  readonly kind: "live";
  readonly proven: ProvenAccount;
  readonly viewer: Viewer;
  readonly subscriptions: Subscriptions;
  /** Null: a person or a machine with a token of the farm API. */
  readonly display: DisplayGrant | null;
  /** Monotonic ms at which the token ends; a display's never ends. */
  tokenEnds: number;
}

/** The state of a session. */
export type State =
  | { readonly kind: "awaiting-hello" }
  /** The token is being proven, then the account's state read. Messages of the client wait meanwhile. */
  | { readonly kind: "proving"; readonly waiting: ClientMessage[] }
  | Live
  | { readonly kind: "closing" };
