/** Numeric order of names: `House 2` before `House 10`. */
const collator = new Intl.Collator(["ko", "en", "zh"], { numeric: true, sensitivity: "base" });

export function byName(a: { name: string }, b: { name: string }): number {
  return collator.compare(a.name, b.name);
}

/** Return a test of names and other words for a typed text; an empty text finds all. */
export function searchFor(text: string): (...texts: readonly string[]) => boolean {
  const wanted = text.trim().toLowerCase();
  return (...texts) => wanted === "" || texts.some((word) => word.toLowerCase().includes(wanted));
}
