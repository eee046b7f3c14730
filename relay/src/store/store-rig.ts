import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { Store } from "./store.ts";

/** A store on a fake clock that can be closed and opened again on what it has kept. */
export interface StoreRig {
  readonly clock: FakeClock;
  readonly store: Store;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a store for one test, and closes it however that ends. */
export type WithStore = (use: (rig: StoreRig) => Promise<void>) => Promise<void>;
