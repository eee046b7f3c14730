import type { Random } from "@mulkko/shared/rules/clock";

/** Lock for one tab at a time. */
export interface TabLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Create a lock with the browser's lock manager, which is missing on a page over plain HTTP. */
export function createNavigatorLock(locks: LockManager, name: string): TabLock {
  return {
    run: async (work) => await locks.request(name, work),
  };
}

/** Lease of a tab, ms; a dead tab blocks the others this long. */
export const LEASE_MS = 15_000;

/** Polling interval of a waiting tab, and the time that a taken lease must stand to count, ms. */
const LOOK_MS = 60;

/**
 * Create the same lock by an entry in local storage, without a lock manager. If two tabs write, the later
 * entry wins, and each tab checks again after a moment.
 */
export function createLeaseLock(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  key: string,
  now: () => number,
  wait: (ms: number) => Promise<void>,
  random: Random,
): TabLock {
  const me = `${random()}`.slice(2);
  const holder = (): string | null => {
    const [owner, until] = (storage.getItem(key) ?? "").split(" ");
    return owner && Number(until) > now() ? owner : null;
  };
  return {
    async run(work) {
      for (;;) {
        const other = holder();
        if (other !== null && other !== me) {
          await wait(LOOK_MS);
          continue;
        }
        storage.setItem(key, `${me} ${now() + LEASE_MS}`);
        await wait(LOOK_MS);
        if (holder() === me) break;
      }
      try {
        return await work();
      } finally {
        if (holder() === me) storage.removeItem(key);
      }
    },
  };
}
