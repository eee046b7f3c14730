import type { Random } from "@mulkko/shared/rules/clock";

/** Lets one tab at a time do something. */
export interface TabLock {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The browser's own lock; there is none on a page that came over plain HTTP. */
export function createNavigatorLock(locks: LockManager, name: string): TabLock {
  return {
    run: async (work) => await locks.request(name, work),
  };
}

/** A tab that dies in its work holds the others up this long, ms. */
export const LEASE_MS = 15_000;

/** How often a waiting tab looks, and how long a taken lease must stand to count, ms. */
const LOOK_MS = 60;

/**
 * The same by a note in local storage, where there is no lock manager. Two tabs may both write; the later note
 * stands, and each looks again after a moment whose it is.
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
