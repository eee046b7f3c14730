import type { Account } from "@mulkko/shared/entities/account";
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { RestClient } from "./client.ts";
import type { Session, SessionState } from "./session.ts";
import type { ReadAs, ViewAsService } from "./view-as.ts";

/** The session, and the client that calls in its name. */
export interface Rest {
  readonly session: Session;
  readonly client: RestClient;
  /** Service by which an administrator starts to view another account's farm. */
  readonly reading?: ViewAsService;
  /** Set on pages of another account's farm (HS-2): account data on them is that account's. */
  readonly readsAs?: ReadAs;
}

export const RestContext = createContext<Rest | null>(null);

/** Client of pages without a user: a wall calls with its own token. */
export const ClientContext = createContext<RestClient | null>(null);

/** Return the page's client, of a user or of a wall. */
export function useClient(): RestClient {
  const own = useContext(ClientContext);
  const rest = useContext(RestContext);
  const client = own ?? rest?.client;
  if (!client) throw new Error("rest hooks need a RestContext or a ClientContext around them");
  return client;
}

export function useRest(): Rest {
  const rest = useContext(RestContext);
  if (!rest) throw new Error("rest hooks need a RestContext around them");
  return rest;
}

/** Return the session state and follow its changes. */
export function useSession(): SessionState {
  return useStore(useRest().session.store);
}

/** Return the viewed account and its administrator; null for the user's own farm. */
export function useReadsAs(): ReadAs | null {
  return useRest().readsAs ?? null;
}

/** Return the signed-in user, whatever farm is shown. */
export function usePerson(): Account {
  const account = useAccount();
  return useReadsAs()?.by ?? account;
}

/** Return true on pages of another account's farm: they are read only. */
export function useReadOnly(): boolean {
  return useContext(RestContext)?.readsAs !== undefined;
}

/**
 * Return the account whose farm is shown: the signed-in one, except with {@link useReadsAs}. For protected
 * pages.
 */
export function useAccount(): Account {
  const session = useSession();
  if (session.state !== "signed-in") throw new Error("no account on a page that is not protected");
  return session.account;
}
