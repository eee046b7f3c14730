/**
 * Return a text as searches compare it (FIND-1): one form for letters that a Mac stores decomposed and others
 * composed, for full and half width, and for capital and small letters.
 */
export const searchText = (text: string): string => text.normalize("NFKC").toLowerCase();

const NUMBER_LIKE = /^\+?[\d\s()./-]*\d[\d\s()./-]*$/;

/**
 * Return the digits of a telephone number or a serial, however it is grouped: `010-1234-5678` and
 * `010 1234 5678` are the same. Null for other text.
 */
export function groupedDigits(text: string): string | null {
  const plain = searchText(text).trim();
  return NUMBER_LIKE.test(plain) ? plain.replaceAll(/\D/g, "") : null;
}
