/** Farm fields that the name check uses. */
export interface NamedFarm {
  readonly id: string;
  readonly name: string;
}

/**
 * Return the other farm with the typed name; null if the name is free. Names are compared exactly, without
 * surrounding spaces, as in the farm API.
 *
 * @param own the farm that is renamed; null for a new one
 */
export function farmOfName(farms: readonly NamedFarm[], typed: string, own: string | null): NamedFarm | null {
  const name = typed.trim();
  if (name === "") return null;
  return farms.find((farm) => farm.id !== own && farm.name.trim() === name) ?? null;
}
