import { createStore, type StoreApi } from "zustand/vanilla";
import type { OutboxEntry } from "../domain/valve/outbox-entry.ts";

/** Create a store for the entries of one of several browsers in a process. */
export const createOutboxStore = (): StoreApi<readonly OutboxEntry[]> =>
  createStore<readonly OutboxEntry[]>(() => []);
