/** What a device is called: its name, or its serial where it has none. */
export function deviceName(info: { name?: string | null | undefined; serial: string | number }): string {
  return info.name?.trim() || `${info.serial}`;
}

/** Orders names as people do: `House 2` before `House 10`. */
const collator = new Intl.Collator(["ko", "en", "zh"], { numeric: true, sensitivity: "base" });

export function byName(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name);
}
