import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { Store } from "./store.ts";

/** A store on a fake clock that can be closed, and opened again with its stored content. */
export interface StoreHarness {
  readonly clock: FakeClock;
  readonly store: Store;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Open a store for one test, and close it in any case. */
export type WithStore = (use: (harness: StoreHarness) => Promise<void>) => Promise<void>;
