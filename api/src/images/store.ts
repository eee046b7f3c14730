import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ImageFormat } from "./format.ts";

/** Path under which images are served. */
const PREFIX = "/images/";
const NAME = /^[0-9a-f]{32}\.(png|jpg|webp)$/;
const SUFFIX: Readonly<Record<ImageFormat, string>> = { png: "png", jpeg: "jpg", webp: "webp" };
const TYPES: Readonly<Record<string, string>> = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" };

export interface StoredImage {
  readonly bytes: Buffer;
  /** Media type. */
  readonly type: string;
}

/** Images in a folder, under unguessable names that no upload can choose. */
export interface ImageStore {
  /** @returns the path of the served image */
  save(bytes: Buffer, format: ImageFormat): Promise<string>;
  /** Remove an image by its path; ignore any other path. */
  remove(path: string | null): Promise<void>;
  /** Read by the name in its path; null where there is none. */
  read(name: string): Promise<StoredImage | null>;
  /** List paths of all images written before `before` (ms since 1970 UTC). */
  listOlder(before: number): Promise<string[]>;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

export async function createImageStore(folder: string): Promise<ImageStore> {
  await mkdir(folder, { recursive: true });

  return {
    async save(bytes, format) {
      const name = `${randomBytes(16).toString("hex")}.${SUFFIX[format]}`;
      await writeFile(join(folder, name), bytes, { flag: "wx", mode: 0o600 });
      return `${PREFIX}${name}`;
    },
    async remove(path) {
      const name = path?.startsWith(PREFIX) ? basename(path) : "";
      if (NAME.test(name)) await rm(join(folder, name), { force: true });
    },
    async read(name) {
      const type = TYPES[NAME.exec(name)?.[1] ?? ""];
      if (!type) return null;
      try {
        return { bytes: await readFile(join(folder, name)), type };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async listOlder(before) {
      const names = (await readdir(folder)).filter((name) => NAME.test(name));
      const paths: string[] = [];
      for (const name of names) {
        const found = await stat(join(folder, name)).catch(() => null);
        if (found && found.mtimeMs < before) paths.push(`${PREFIX}${name}`);
      }
      return paths;
    },
  };
}
