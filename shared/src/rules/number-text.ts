const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/**
 * Parse a number that a device or a file writes as text (NUM-1): decimal digits with an optional sign, point
 * and exponent, as JSON and most libraries print a number. Null for any other form, such as `0x1F`, `1_000`,
 * `30 %` or `23,4`: what it means is not guessed.
 */
export function numberOfText(text: string): number | null {
  const trimmed = text.trim();
  const number = NUMBER.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
