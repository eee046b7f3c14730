import type { Account } from "@mulkko/shared/entities/account";
import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { RestClient } from "./client.ts";
import type { Session, SessionState } from "./session.ts";

/** The session and the client that calls in its name. */
export interface Rest {
  readonly session: Session;
  readonly client: RestClient;
}

export const RestContext = createContext<Rest | null>(null);

export function useRest(): Rest {
  const rest = useContext(RestContext);
  if (!rest) throw new Error("rest hooks need a RestContext around them");
  return rest;
}

/** Who is signed in, followed. */
export function useSession(): SessionState {
  return useStore(useRest().session.store);
}

/** The account that is signed in; only on protected pages. */
export function useAccount(): Account {
  const session = useSession();
  if (session.state !== "signed-in") throw new Error("no account on a page that is not protected");
  return session.account;
}
