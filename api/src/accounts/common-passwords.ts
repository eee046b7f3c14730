import { dictionary } from "@zxcvbn-ts/language-common";

/**
 * Number of the most common leaked passwords to refuse; the list has five times as many, the most common
 * first.
 */
const REFUSED = 10_000;
const COMMON: ReadonlySet<string> = new Set(dictionary["passwords-common"].slice(0, REFUSED));

/** True for an easily guessed password: a common one, ignoring case, or one repeated character. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);
}
