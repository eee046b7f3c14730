/**
 * A number as people write it, with a comma or a point and with spaces around it.
 *
 * @returns null for nothing, NaN for what is no number
 */
export function readDecimal(text: string): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
