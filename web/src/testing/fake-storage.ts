/** Storage of a browser (`localStorage`) in memory; `items` is its content. */
export function createFakeStorage(content: Iterable<readonly [string, string]> = []) {
  const items = new Map<string, string>(content);
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
