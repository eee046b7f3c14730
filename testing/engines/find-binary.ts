import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian keeps servers in sbin, which an ordinary user's PATH lacks; Homebrew has a folder of its own. */
const SERVER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/homebrew/sbin"];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Return the first of these programs on this machine.
 *
 * @param names program names to look for in PATH, or absolute paths
 * @returns an absolute path, or null without any
 */
export const findBinary = (names: readonly string[]): string | null => {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...SERVER_FOLDERS];
  for (const name of names) {
    const candidates = name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name));
    const found = candidates.find(isExecutable);
    if (found !== undefined) return found;
  }
  return null;
};
