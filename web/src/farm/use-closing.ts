import { useEffect } from "react";
import { useStore } from "zustand";
import { useEvents, useIsLive, useServerNow } from "../live/hooks.ts";
import type { RestClient } from "../rest/client.ts";
import { useAccount, useRest } from "../rest/hooks.ts";
import { stepOfEvent } from "./close-all.ts";
import { type ClosingDesk, type ClosingState, createClosingDesk } from "./closing-desk.ts";

/** One desk per client, for the account that is signed in: the same close-all on every page. */
const desks = new WeakMap<RestClient, { accountId: string; desk: ClosingDesk }>();

/** The close-all of this page, if there is one, and how to begin it. */
export function useClosing(): { state: ClosingState; desk: ClosingDesk } {
  const { client } = useRest();
  const now = useServerNow();
  const accountId = `${useAccount().id}`;
  const known = desks.get(client);
  const desk =
    known?.accountId === accountId
      ? known.desk
      : createClosingDesk({ rest: client, accountId, memory: sessionStorage, now });
  if (known?.desk !== desk) desks.set(client, { accountId, desk });
  return { state: useStore(desk.store), desk };
}

/** Follows a close-all on the live stream; what was said while no page was open is read from the log of commands. */
export function useFollowedClosing(): { state: ClosingState; desk: ClosingDesk } {
  const closing = useClosing();
  const { desk } = closing;
  const events = useEvents();
  const live = useIsLive();
  useEffect(() => {
    for (const { event } of events) {
      const step = stepOfEvent(event);
      if (step) desk.step(step);
    }
  }, [desk, events]);
  useEffect(() => {
    if (!live) return;
    const asking = new AbortController();
    void desk.catchUp(asking.signal);
    return () => asking.abort();
  }, [desk, live]);
  return closing;
}
