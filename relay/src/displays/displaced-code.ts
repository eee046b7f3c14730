import { addressGroup } from "@mulkko/shared/server/address-group";

/** A pending code, and the address of the screen that asked for it. */
export interface WaitingCode {
  readonly code: string;
  readonly address: string;
}

const homeOf = (address: string): string => addressGroup(address, 56);

/**
 * Return the code that makes room for one more where no more may wait (SHARE-1): the newest of the home with most
 * of them, because its oldest may be being typed.
 *
 * @param address of the screen that asks
 * @param waiting oldest first
 * @returns null where no home has more than the asking one would have
 */
export function displacedBy(address: string, waiting: readonly WaitingCode[]): string | null {
  const homes = new Map<string, WaitingCode[]>();
  for (const one of waiting) {
    const home = homeOf(one.address);
    homes.set(home, [...(homes.get(home) ?? []), one]);
  }
  const own = homes.get(homeOf(address))?.length ?? 0;
  const largest = [...homes.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  return largest.length > own + 1 ? (largest.at(-1)?.code ?? null) : null;
}
