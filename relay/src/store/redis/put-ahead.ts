/**
 * Change a map while its stored mirror is written, and revert it if that fails. A rewrite after a loss may
 * come at any moment. It must restore neither what is being removed nor what was refused.
 * @param changes by key; null removes one
 */
export async function putAhead<T>(
  map: Map<string, T>,
  changes: readonly (readonly [key: string, value: T | null])[],
  write: () => Promise<unknown>,
): Promise<void> {
  const put = (key: string, value: T | null | undefined): void => {
    if (value === null || value === undefined) map.delete(key);
    else map.set(key, value);
  };
  const before = changes.map(([key]) => [key, map.get(key)] as const);
  for (const [key, value] of changes) put(key, value);
  try {
    await write();
  } catch (error) {
    for (const [key, value] of before) put(key, value);
    throw error;
  }
}
