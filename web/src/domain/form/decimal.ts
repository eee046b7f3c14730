/**
 * Parse a typed number with a comma or a point, and with spaces around it.
 *
 * @returns null for empty text, NaN for text that is not a number
 */
export function readDecimal(text: string): number | null {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return null;
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
