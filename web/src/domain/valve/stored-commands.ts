import { useEffect, useReducer } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { createStore } from "zustand/vanilla";
import { useAccount } from "../../api/hooks.ts";
import type { OutboxEntry } from "./outbox-entry.ts";
import { OPENINGS_KEY, OUTBOX_PREFIX } from "./outbox-keys.ts";

/**
 * The commands without an answer, as the outbox publishes them. Apart from it, because the first page draws
 * them, and needs the outbox itself only when there are any.
 */
export const storedCommands = createStore<readonly OutboxEntry[]>(() => []);

/** Select from the account's stored commands and follow them; `select` may return a new array with the same items. */
export function useStoredCommands<T>(select: (entries: readonly OutboxEntry[]) => T): T {
  const accountId = `${useAccount().id}`;
  return useStore(
    storedCommands,
    useShallow((entries) => select(entries.filter((entry) => entry.accountId === accountId))),
  );
}

/** Return true if this browser has stored commands, of any account. */
export function hasStoredCommands(): boolean {
  if (storedCommands.getState().length > 0) return true;
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  return keys.some((key) => key.startsWith(OUTBOX_PREFIX) || key === OPENINGS_KEY);
}

/** Return {@link hasStoredCommands} and follow it, over the browser's tabs too. */
export function useHasStoredCommands(): boolean {
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    window.addEventListener("storage", look);
    return () => window.removeEventListener("storage", look);
  }, []);
  useStore(storedCommands, (entries) => entries.length);
  return hasStoredCommands();
}
