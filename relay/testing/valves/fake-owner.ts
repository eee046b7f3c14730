import { Documents, type DocumentTexts } from "../../src/store/documents.ts";
import { StaleOwnerError } from "../../src/store/errors.ts";
import type { OutgoingCommand, ValveUpstream } from "../../src/upstream/outgoing-command.ts";

/** The dependencies of one process that owns the account, until another process does (NODE-5). */
export interface FakeOwner {
  readonly store: Documents;
  readonly upstream: ValveUpstream;
  /** Hold back everything that returns to the process until it is thawed. */
  freeze(): void;
  thaw(): void;
}

/**
 * Create the owner.
 * @param lease the owner's fence, the newest one, and the record of sends by a stale owner
 */
export function createFakeOwner(
  upstream: ValveUpstream,
  texts: DocumentTexts,
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
    store: new Documents({
      ...texts,
      write: (changes) =>
        whenAwake(
          isStale()
            ? Promise.reject(new StaleOwnerError("another owner has the account"))
            : texts.write(changes),
        ),
    }),
    upstream: {
      has: (extension) => upstream.has(extension),
      get ownSession() {
        return upstream.ownSession;
      },
      get offsetMs() {
        return upstream.offsetMs;
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
