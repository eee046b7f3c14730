import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { createEmbeddedStore } from "../src/store/embedded/embedded-store.ts";
import type { Store } from "../src/store/store.ts";
import { createFakeSchedule } from "./fake-schedule.ts";

/**
 * Open an embedded store, by default in memory, that throws the errors of its background work.
 *
 * @param epoch begins the names of its epochs
 */
export function createTestStore(deps: {
  clock: Clock;
  timers: Timers;
  file?: string | undefined;
  epoch?: string;
  onError?: (error: unknown) => void;
}): Store {
  const { clock, timers, file = ":memory:", epoch = "epoch" } = deps;
  let epochs = 0;
  return createEmbeddedStore({
    file,
    clock,
    timers,
    schedule: createFakeSchedule(),
    newEpoch: () => `${epoch}-${epochs++}`,
    onError:
      deps.onError ??
      ((error) => {
        throw error;
      }),
  });
}
