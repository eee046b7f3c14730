import { systemTimers } from "@mulkko/shared/rules/clock";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { RestClient } from "../../api/client.ts";
import { type Rest, useAccount, useRest } from "../../api/hooks.ts";
import { useEvents, useIsLive } from "../../live/hooks.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { storedCommands, useStoredCommands } from "./stored-commands.ts";

/** One instance per client, for the signed-in account: every page shares the same commands. */
const instances = new WeakMap<RestClient, { accountId: string; outbox: Outbox }>();

/** Return the outbox of an account in this browser. */
export function outboxOf({ client, session }: Pick<Rest, "client" | "session">, accountId: string): Outbox {
  const known = instances.get(client);
  if (known?.accountId === accountId) return known.outbox;
  const outbox = new Outbox({
    rest: client,
    accountId,
    signedIn: () => {
      const state = session.store.getState();
      return state.state === "signed-in" ? `${state.account.id}` : null;
    },
    memory: localStorage,
    store: storedCommands,
    now: Date.now,
    timers: systemTimers,
  });
  instances.set(client, { accountId, outbox });
  return outbox;
}

/** Return this browser's outbox for the signed-in account. */
export function useOutbox(): Outbox {
  return outboxOf(useRest(), `${useAccount().id}`);
}

/** Return the stored switch-off of a channel's mode that has no answer; null without one. */
export const useStoredOff = (channelId: string, mode: string): OutboxEntry | null =>
  useStoredCommands(
    (entries) =>
      entries.find(
        (entry) =>
          entry.kind === "mode-off" &&
          entry.ended === undefined &&
          entry.channelId === channelId &&
          entry.mode === mode,
      ) ?? null,
  );

/** Send unanswered commands on whatever page is open. */
export function useFollowedOutbox(): void {
  const outbox = useOutbox();
  const events = useEvents();
  const live = useIsLive();
  const wasLive = useRef(live);
  useEffect(() => {
    for (const { event } of events) if (event.kind === "command") outbox.named(event);
  }, [outbox, events]);
  // Also without a line: the live connection may be refused where a call passes.
  useEffect(() => outbox.begin(), [outbox]);
  useEffect(() => {
    if (live && !wasLive.current) outbox.resume();
    wasLive.current = live;
  }, [outbox, live]);
  useEffect(() => {
    const online = () => outbox.resume();
    const stored = () => outbox.refresh();
    window.addEventListener("online", online);
    window.addEventListener("storage", stored);
    return () => {
      window.removeEventListener("online", online);
      window.removeEventListener("storage", stored);
    };
  }, [outbox]);
}

/** Ids of the entries that a component of the page shows by itself. */
const shownOnPage = createStore<ReadonlySet<string>>(() => new Set());

/** Keep the strip from repeating entries while the calling component shows them. */
export function useShownOnPage(ids: readonly string[]): void {
  const key = ids.join();
  useEffect(() => {
    const own = key === "" ? [] : key.split(",");
    shownOnPage.setState(new Set([...shownOnPage.getState(), ...own]), true);
    return () => {
      const left = new Set(shownOnPage.getState());
      for (const id of own) left.delete(id);
      shownOnPage.setState(left, true);
    };
  }, [key]);
}

/** Return the entries that nothing else on the page shows. */
export function useEntriesForStrip(): readonly OutboxEntry[] {
  const shown = useStore(shownOnPage);
  return useStoredCommands((entries) => entries.filter(({ id, kind }) => kind !== "open" && !shown.has(id)));
}
