/** Maximum length of an address in mail servers. */
export const MAX_EMAIL_LENGTH = 254;

const ADDRESS =
  /^[^\s@<>()[\],;:"\\\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;

/**
 * Return true for text that can be an e-mail address: one `@`, a domain with a dot, no line break that ends a
 * header.
 */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && ADDRESS.test(text);
