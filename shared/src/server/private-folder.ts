import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MODE_BITS = 0o777;

/** Names of what Mulkko's processes make in `DATA_DIR` and in the relay's folder, and of a file system's own. */
const OWN =
  /^(pgdata(\..+)?|relay(\..+)?|restored\..+|images|import|profiles|backups|restore\.new|demo-keys\.json|demo-password|relay-key|secret|lost\+found|lock\.(pid|sqlite(-.+)?))$/;

/**
 * A file may vanish meanwhile, and another user's file cannot be changed: the closed folder around it is what keeps
 * it.
 */
const isNoMatter = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EPERM");

/**
 * Close a file, or a folder with all in it, to other users of the machine (0600, 0700): libraries give their files
 * modes of their own, whatever the umask. Symbolic links are not followed.
 */
function closeToOthers(path: string): void {
  try {
    const found = lstatSync(path);
    if (!found.isDirectory() && !found.isFile()) return;
    const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE;
    // The folder first: from then on nothing in it can be reached.
    if ((found.mode & MODE_BITS) !== mode) chmodSync(path, mode);
    if (!found.isDirectory()) return;
    for (const name of readdirSync(path)) closeToOthers(join(path, name));
  } catch (error) {
    if (!isNoMatter(error)) throw error;
  }
}

/**
 * Close a data folder to other users of the machine.
 *
 * @returns names in it that are not Mulkko's: with any, the folder itself stays as it is, and only what is Mulkko's is
 * closed
 */
export function closeDataFolder(folder: string): readonly string[] {
  const names = readdirSync(folder);
  const foreign = names.filter((name) => !OWN.test(name));
  if (foreign.length === 0) closeToOthers(folder);
  else for (const name of names) if (OWN.test(name)) closeToOthers(join(folder, name));
  return foreign;
}
