import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Compressible files; fonts and images are compressed already, and the page itself is served from memory. */
const TEXTS = "**/*.{js,css,svg,json,geojson,webmanifest}";

/** Minimum size, bytes: a smaller file takes the same number of packets either way. */
const LEAST = 1_024;

const packings = [
  {
    ending: ".br",
    pack: (bytes: Buffer): Promise<Buffer> =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  },
  // Browsers accept Brotli over HTTPS only; in a farm's own network the relay uses HTTP.
  {
    ending: ".gz",
    pack: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  },
] as const;

/**
 * Write a `.br` and a `.gz` file beside every text file of a built client, at maximum compression: compressed
 * once, served many times.
 */
export const compress = async (directory: string): Promise<void> => {
  await Promise.all(
    globSync(TEXTS, { cwd: directory }).map(async (file) => {
      const path = join(directory, file);
      const bytes = await readFile(path);
      if (bytes.length < LEAST) return;
      for (const { ending, pack } of packings) await writeFile(path + ending, await pack(bytes));
    }),
  );
};
