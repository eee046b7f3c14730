import type { Account } from "@mulkko/shared/entities/account";
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { RestClient } from "./client.ts";
import type { ReadAs, ReadingDesk } from "./reading.ts";
import type { Session, SessionState } from "./session.ts";

/** The session and the client that calls in its name. */
export interface Rest {
  readonly session: Session;
  readonly client: RestClient;
  /** Where an administrator begins to read another account's farm. */
  readonly reading?: ReadingDesk;
  /** These pages show another account's farm (HS-2): what they say of the account is that one's. */
  readonly readsAs?: ReadAs;
}

export const RestContext = createContext<Rest | null>(null);

/** For pages without a person: a wall calls with a token of its own. */
export const ClientContext = createContext<RestClient | null>(null);

/** What calls are made with, whoever the page belongs to. */
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

/** Who is signed in, followed. */
export function useSession(): SessionState {
  return useStore(useRest().session.store);
}

/** Whose farm these pages show to an administrator, and who that is; null where it is their own. */
export function useReadsAs(): ReadAs | null {
  return useRest().readsAs ?? null;
}

/** Who sits at the screen, whosever farm it shows. */
export function usePerson(): Account {
  const account = useAccount();
  return useReadsAs()?.by ?? account;
}

/** True on pages that show another account's farm: nothing is changed there. */
export function useReadOnly(): boolean {
  return useContext(RestContext)?.readsAs !== undefined;
}

/** The account whose farm is shown, which is the one that is signed in but for {@link useReadsAs}; on protected pages. */
export function useAccount(): Account {
  const session = useSession();
  if (session.state !== "signed-in") throw new Error("no account on a page that is not protected");
  return session.account;
}
