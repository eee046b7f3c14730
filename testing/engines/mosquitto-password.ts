import { pbkdf2Sync, randomBytes } from "node:crypto";

/** Mosquitto's own figures for its `$7$` (PBKDF2-SHA512) password lines. */
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/** Return one line of a Mosquitto password file, as `mosquitto_passwd` writes it. */
export const mosquittoPasswordLine = (user: string, password: string): string => {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, "sha512");
  return `${user}:$7$${ITERATIONS}$${salt.toString("base64")}$${hash.toString("base64")}`;
};
