import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** A file changed this shortly before its copy may change again within the same clock tick, ms. */
const TICK_MS = 2_000;

interface Copied {
  readonly size: number;
  readonly changedAt: number;
  readonly copiedAt: number;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/**
 * Copy a folder in use in two passes. The first pass copies everything while the writer runs. The second
 * copies the changes while the writer is paused. The pause is short: it depends on the changes, not on the
 * size of the history.
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
    /** Bring the copy up to date. The writer must be paused. */
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
          // Removed since the listing: a later pass does not find it, or the writer does not need it.
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
