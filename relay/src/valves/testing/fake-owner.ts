import type { ValveStore } from "../../ports/durable.ts";
import type { OutgoingCommand, ValveUpstream } from "../../ports/valves.ts";
import { StaleOwnerError } from "../../store/errors.ts";

/** The edges of one process that owns the account, until another one does (NODE-5). */
export interface FakeOwner {
  readonly store: ValveStore;
  readonly upstream: ValveUpstream;
  /** Nothing comes back to the process until it is thawed. */
  freeze(): void;
  thaw(): void;
}

/**
 * @param lease the owner's fence, the newest one, and where it is noted that a stale owner sends
 */
export function createFakeOwner(
  upstream: ValveUpstream,
  store: ValveStore,
  lease: { fence: number; newest: () => number; staleSends: OutgoingCommand[] },
): FakeOwner {
  let awake: Promise<void> = Promise.resolve();
  let wakeUp: () => void = () => undefined;
  const isStale = (): boolean => lease.newest() !== lease.fence;
  const whenAwake = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result;
    } finally {
      await awake;
    }
  };
  return {
    store: {
      ...store,
      now: () => store.now(),
      write: (step) =>
        whenAwake(
          isStale()
            ? Promise.reject(new StaleOwnerError("another owner has the account"))
            : store.write(step),
        ),
    },
    upstream: {
      has: (extension) => upstream.has(extension),
      get ownSession() {
        return upstream.ownSession;
      },
      send(command) {
        if (isStale()) lease.staleSends.push(command);
        return whenAwake(upstream.send(command));
      },
    },
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>();
      awake = promise;
      wakeUp = resolve;
    },
    thaw: () => wakeUp(),
  };
}
