import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "coverage", "test-results"]);

const walk = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map((entry): string[] | Promise<string[]> => {
      if (entry.name.startsWith(".") || SKIPPED_FOLDERS.has(entry.name)) return [];
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? walk(root, path) : [path];
    }),
  );
  return found.flat();
};

/**
 * Return every file of the workspace with one of these endings, relative to `root`, sorted; without build
 * output and dependencies.
 */
export const filesEndingWith = async (root: string, endings: readonly string[]): Promise<string[]> => {
  const files = await walk(root, "");
  return files.filter((file) => endings.some((ending) => file.endsWith(ending))).toSorted();
};

export const sourceFiles = (root: string): Promise<string[]> => filesEndingWith(root, [".ts", ".tsx"]);

/** Match tests, the suites and builders that they share, and journeys. */
export const isTestCode = (file: string): boolean =>
  /\.(test|suite|e2e|fault|bench)\.tsx?$/.test(file) || /\/(testing|bench)\//.test(file);
