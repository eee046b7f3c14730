import { useEffect } from "react";
import { useStore } from "zustand";
import type { RestClient } from "../../api/client.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useEvents, useIsLive, useServerNow } from "../../live/hooks.ts";
import { stepOfEvent } from "./close-all.ts";
import { type ClosingService, type ClosingState, createClosingService } from "./closing-service.ts";

/** One service per client, for the signed-in account: every page shows the same close-all. */
const services = new WeakMap<RestClient, { accountId: string; service: ClosingService }>();

/** Return this page's close-all, if there is one, and its service. */
export function useClosing(): { state: ClosingState; service: ClosingService } {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = services.get(client);
  const service =
    known?.accountId === accountId
      ? known.service
      : createClosingService({ rest: client, accountId, memory: sessionStorage, now });
  if (known?.service !== service) services.set(client, { accountId, service });
  return { state: useStore(service.store), service };
}

/**
 * Apply live events to a close-all, and read the steps missed while no page was open from the command log.
 */
export function useFollowedClosing(): { state: ClosingState; service: ClosingService } {
  const closing = useClosing();
  const { service } = closing;
  const events = useEvents();
  const live = useIsLive();
  useEffect(() => {
    for (const { event } of events) {
      const step = stepOfEvent(event);
      if (step) service.step(step);
    }
  }, [service, events]);
  useEffect(() => {
    if (!live) return;
    const asking = new AbortController();
    void service.catchUp(asking.signal);
    return () => asking.abort();
  }, [service, live]);
  return closing;
}
