import { systemTimers } from "@mulkko/shared/rules/clock";
import { useEffect } from "react";
import type { RestClient } from "../../api/client.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useEvents, useIsLive, useServerNow } from "../../live/hooks.ts";
import { createOpenings, type Openings } from "./openings.ts";

/** One instance per client, for the signed-in account: every page shares the same openings. */
const instances = new WeakMap<RestClient, { accountId: string; openings: Openings }>();

/** Return this browser's openings that have no answer yet. */
export function useOpenings(): Openings {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = instances.get(client);
  if (known?.accountId === accountId) return known.openings;
  const openings = createOpenings({
    rest: client,
    accountId,
    memory: localStorage,
    now,
    timers: systemTimers,
  });
  instances.set(client, { accountId, openings });
  return openings;
}

/** Revoke unanswered openings on whatever page is open. Renders nothing. */
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
