// @vitest-environment node
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compress } from "./compress.ts";

const TEXT = "export const farm = 'a farm with many words';\n".repeat(100);

describe("compression of the built client", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "mulkko-compress-"));
    await mkdir(join(directory, "assets"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it.each(["index-a1.js", "index-a1.css", "map-a1.json", "scene-a1.svg"])(
    "[build] writes both encodings beside %s, and each decodes to the original",
    async (name) => {
      const file = join(directory, "assets", name);
      await writeFile(file, TEXT);
      await compress(directory);
      expect(brotliDecompressSync(await readFile(`${file}.br`)).toString()).toBe(TEXT);
      expect(gunzipSync(await readFile(`${file}.gz`)).toString()).toBe(TEXT);
      expect((await readFile(`${file}.br`)).length).toBeLessThan((await readFile(`${file}.gz`)).length);
      expect(await readFile(file, "utf8")).toBe(TEXT);
    },
  );

  it("[build] skips small files, compressed files and the page itself", async () => {
    for (const [name, text] of [
      ["version.json", '{"build":"b1"}'],
      ["face.woff2", TEXT],
      ["index.html", TEXT],
    ] as const) {
      await writeFile(join(directory, name), text);
      await compress(directory);
      for (const ending of [".br", ".gz"]) expect(existsSync(join(directory, name + ending))).toBe(false);
    }
  });
});
