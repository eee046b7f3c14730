import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const SECRET_BYTES = 32;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const makeSecret = async (file: string): Promise<string> => {
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
};

const unusable = (file: string, cause: unknown): Error =>
  new Error(
    `The folder ${dirname(file)} cannot be used (${cause instanceof Error ? cause.message : String(cause)}): give this user the right to, or choose another DATA_DIR.`,
  );

/** Return the secret in this file; create a random one if there is no file. Only its owner may read it. */
export const keepSecret = async (file: string): Promise<string> => {
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (secret !== "") return secret;
  } catch (error) {
    if (!isMissing(error)) throw unusable(file, error);
    return makeSecret(file).catch((cause: unknown) => {
      throw unusable(file, cause);
    });
  }
  throw new Error(`${file} is empty: delete it, and a new key is made.`);
};
