/** Maximum length of a user name. */
export const USERNAME_MAX_LENGTH = 16;

/** A user name: 5 to 16 letters, digits, underscores or hyphens. */
export const USERNAME_PATTERN = "^[A-Za-z0-9_-]{5,16}$";

/** Minimum length of a password: at registration, and where an administrator sets a new one. */
export const PASSWORD_MIN_LENGTH = { registration: 8, change: 5 } as const;

/** Maximum length of a password: a sentence, in any language. */
export const PASSWORD_MAX_LENGTH = 64;

/** Return true for a text of a password's length. @param minLength one of {@link PASSWORD_MIN_LENGTH} */
export const hasPasswordLength = (text: string, minLength: number): boolean =>
  text.length >= minLength && text.length <= PASSWORD_MAX_LENGTH;
