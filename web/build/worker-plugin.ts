import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Plugin, transformWithOxc } from "vite";

const SOURCE = resolve(import.meta.dirname, "../worker/service-worker.ts");

/** Chunks of the first page that are fetched by name: the words of each language. */
const FETCHED_FIRST = /^first-words-/;

/** What stands beside the built files and belongs to the first page. */
const BESIDE = ["/", "/manifest.webmanifest", "/icon.svg"];

/** A built file as far as it is looked at here. */
interface Built {
  readonly type: string;
  readonly fileName: string;
  readonly name?: string | undefined;
  readonly imports?: readonly string[];
  readonly source?: string | Uint8Array;
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } | undefined;
}

/** Paths of everything that the first page is made of, in any language: what it names, and what that imports. */
export function firstFiles(bundle: Readonly<Record<string, Built>>): string[] {
  const named = [...String(bundle["index.html"]?.source ?? "").matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)];
  const words = Object.values(bundle).filter(
    ({ type, name = "" }) => type === "chunk" && FETCHED_FIRST.test(name),
  );
  const found = new Set<string>();
  const open = [...named.map(([, file = ""]) => file), ...words.map(({ fileName }) => fileName)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const built = bundle[file];
    open.push(...(built?.imports ?? []));
    for (const style of built?.viteMetadata?.importedCss ?? []) found.add(style);
  }
  return [...BESIDE, ...[...found].map((file) => `/${file}`).toSorted()];
}

/** Writes `/worker.js`: the service worker, with the build's name and the files of its first page in it. */
export const workerPlugin = (build: string): Plugin => ({
  name: "mulkko-worker",
  apply: "build",
  enforce: "post",
  async generateBundle(_options, bundle) {
    const { code } = await transformWithOxc(await readFile(SOURCE, "utf8"), SOURCE);
    const files = JSON.stringify(firstFiles(bundle));
    const source = code
      .replace('"%BUILD%"', JSON.stringify(build))
      .replace('"%FIRST%"', JSON.stringify(files));
    if (source.includes("%BUILD%") || source.includes("%FIRST%"))
      throw new Error("the worker was not filled in");
    this.emitFile({ type: "asset", fileName: "worker.js", source });
  },
});
