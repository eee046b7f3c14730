import { hash, verify } from "@node-rs/argon2";

/** Normalize: some keyboards send a Korean syllable composed, others decomposed. */
const normal = (password: string): string => password.normalize("NFC");

/** Hash with argon2id, the recommended 19 MiB and two passes. */
export const hashPassword = (password: string): Promise<string> => hash(normal(password));

/** A hash of an unknown password: an unknown user name takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** @param stored null where there is no such account; the result is then false, after the usual time */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID());
  const right = await verify(stored ?? (await decoy), normal(password));
  return right && stored !== null;
}
