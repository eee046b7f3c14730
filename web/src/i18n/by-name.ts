/** Numeric order of names: `House 2` before `House 10`. */
const collator = new Intl.Collator(["ko", "en", "zh"], { numeric: true, sensitivity: "base" });

export function byName(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name);
}
