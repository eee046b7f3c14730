import { useEffect } from "react";
import { useEvents, useIsLive, useServerNow } from "../live/hooks.ts";
import type { RestClient } from "../rest/client.ts";
import { useAccount, useRest } from "../rest/hooks.ts";
import { createOpenings, type Openings } from "./openings.ts";

/** One keeper per client, for the account that is signed in: the same openings on every page. */
const kept = new WeakMap<RestClient, { accountId: string; openings: Openings }>();

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** The openings of this browser that have no answer yet. */
export function useOpenings(): Openings {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = kept.get(client);
  if (known?.accountId === accountId) return known.openings;
  const openings = createOpenings({ rest: client, accountId, memory: localStorage, now, after });
  kept.set(client, { accountId, openings });
  return openings;
}

/** Takes back what has no answer, on whatever page the person is; draws nothing. */
export function FollowedOpenings() {
  const openings = useOpenings();
  const events = useEvents();
  const live = useIsLive();
  useEffect(() => {
    for (const { event } of events) if (event.kind === "command") openings.named(event.id);
  }, [openings, events]);
  useEffect(() => {
    if (live) openings.resume();
  }, [openings, live]);
  return null;
}
