import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** A file that changed so shortly before it was copied may change again within the same tick of its clock, ms. */
const TICK_MS = 2_000;

interface Copied {
  readonly size: number;
  readonly changedAt: number;
  readonly copiedAt: number;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/**
 * Copies a folder that is being written in two goes: at first everything as it comes, then, with the writer held,
 * what changed since. So the writer is held for what is new only, not for years of history.
 */
export function createFolderCopy(from: string, to: string): { copyChanges(): Promise<void> } {
  const copied = new Map<string, Copied>();

  const copyOne = async (path: string): Promise<void> => {
    const copiedAt = Date.now();
    const { size, mtimeMs: changedAt } = await stat(join(from, path));
    const before = copied.get(path);
    const isSame = before?.size === size && before.changedAt === changedAt;
    if (isSame && changedAt < before.copiedAt - TICK_MS) return;
    await mkdir(dirname(join(to, path)), { recursive: true });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
    copied.set(path, { size, changedAt, copiedAt });
  };

  return {
    /** Makes the copy as the folder is now, as long as nobody writes meanwhile. */
    async copyChanges() {
      await mkdir(to, { recursive: true, mode: 0o700 });
      const entries = await readdir(from, { withFileTypes: true, recursive: true });
      const seen = new Set<string>();
      for (const entry of entries) {
        const path = relative(from, join(entry.parentPath, entry.name));
        if (entry.isDirectory()) {
          await mkdir(join(to, path), { recursive: true });
        } else {
          seen.add(path);
          // Gone since the folder was listed: a later go does not find it, or the writer does not miss it.
          await copyOne(path).catch((error: unknown) => {
            if (!isMissing(error)) throw error;
            seen.delete(path);
          });
        }
      }
      for (const path of copied.keys()) {
        if (seen.has(path)) continue;
        await rm(join(to, path), { force: true });
        copied.delete(path);
      }
    },
  };
}
