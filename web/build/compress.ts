import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** What shrinks; fonts and pictures are packed already, and the page itself is served from memory. */
const TEXTS = "**/*.{js,css,svg,json,geojson,webmanifest}";

/** A smaller file travels in the same packets either way, bytes. */
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
  // Browsers take Brotli over HTTPS alone; in a farm's own network the relay is asked over HTTP.
  {
    ending: ".gz",
    pack: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  },
] as const;

/** Puts a `.br` and a `.gz` beside every text of a built client, as small as they get: packed once, served for ever. */
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
