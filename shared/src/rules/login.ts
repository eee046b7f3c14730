/** Most characters that the login form takes in either field. */
export const LOGIN_MAX_LENGTH = 16;

/** A user name: 5 to 16 letters, digits, underscores or hyphens. */
export const USERNAME_PATTERN = "^[A-Za-z0-9_-]{5,16}$";

/** A password at registration: 8 to 16 letters, digits and the listed specials. */
export const PASSWORD_PATTERN = "^[A-Za-z0-9~!@#$%^&*()+_|<>?:{}]{8,16}$";
