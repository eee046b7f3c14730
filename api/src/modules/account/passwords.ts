import { hash, verify } from "@node-rs/argon2";

/** argon2id with the recommended 19 MiB and two passes. */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** A hash of no known password: an unknown user name takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** @param stored null where there is no such account; the answer is then false, after the usual time */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash(crypto.randomUUID());
  const right = await verify(stored ?? (await decoy), password);
  return right && stored !== null;
}
