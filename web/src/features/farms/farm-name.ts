/** A farm as far as its name goes. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

/**
 * The other farm of that name, while it is typed; null where the name is free. Compared as the farm API does, to the
 * letter, without the spaces around it.
 *
 * @param own the farm that is renamed; null where one is made
 */
export function farmOfName(farms: readonly NamedFarm[], typed: string, own: string | null): NamedFarm | null {
  const name = typed.trim();
  if (name === "") return null;
  return farms.find((farm) => farm.id !== own && farm.name.trim() === name) ?? null;
}
