/** Most characters that the login form takes in either field. */
export const LOGIN_MAX_LENGTH = 16;

/** A user name: 5 to 16 letters, digits, underscores or hyphens. */
export const USERNAME_PATTERN = "^[A-Za-z0-9_-]{5,16}$";

/** Fewest characters of a password: at registration, and where an administrator sets a new one. */
export const PASSWORD_MIN_LENGTH = { registration: 8, change: 5 } as const;

/** What a password may be made of. */
export const PASSWORD_CHARACTERS = "^[A-Za-z0-9~!@#$%^&*()+_|<>?:{}]*$";
