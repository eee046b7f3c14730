import { addressGroup } from "@mulkko/shared/server/address-group";

/** Counts connections, in total and by address. */
export interface ConnectionLimit {
  /**
   * Take a place.
   * @returns a function that releases it; undefined if there is none
   */
  acquire(address: string): (() => void) | undefined;
}

export function createConnectionLimit(perAddress: number, all: number): ConnectionLimit {
  const held = new Map<string, number>();
  let total = 0;
  return {
    acquire(address) {
      const key = addressGroup(address);
      const mine = held.get(key) ?? 0;
      if (mine >= perAddress || total >= all) return undefined;
      held.set(key, mine + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      };
    },
  };
}
