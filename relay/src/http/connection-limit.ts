import { isIPv6 } from "node:net";

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

/**
 * Return the group of an address that shares one limit: an IPv6 /64, which belongs to one household or phone,
 * or a single IPv4 address.
 */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
