import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Plugin, transformWithOxc } from "vite";

const SOURCE = resolve(import.meta.dirname, "../worker/service-worker.ts");

/** Chunks of the first page that are loaded by name: the translations of each language. */
const FETCHED_FIRST = /^first-words-/;

/**
 * Entry modules of parts that no farmer needs offline: administrators' pages and translations, another
 * account's farm, walls, Excel export.
 */
const NOT_OFFLINE =
  /\/(?:features\/(?:admin-[^/]+|displays)|app\/(?:admin-layout|view-as)|wall|log\/export)\/|\/desk-words-\w+\.ts$|\/node_modules\/.*\/xlsx/;

/** Fonts are cached on use; a licence is rarely read. */
const NOT_DRAWN = /\.(?:woff2?|txt)$/;

/** Cached last: large, and without readings. */
const MAP = /maplibre|farm-map-view|webgl|gpu|geojson/;

/** Files beside the built ones that belong to the first page. */
const BESIDE = ["/", "/manifest.webmanifest", "/icon.svg"];

/** Used fields of a built file. */
interface Built {
  readonly type: string;
  readonly fileName: string;
  readonly name?: string | undefined;
  readonly facadeModuleId?: string | null | undefined;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly source?: string | Uint8Array;
  readonly viteMetadata?:
    | { readonly importedCss: ReadonlySet<string>; readonly importedAssets?: ReadonlySet<string> }
    | undefined;
}

/** Return the paths of all files of the first page in any language: the files it names, and their imports. */
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

/**
 * Return the paths of all other files of a farmer's pages in any language, the map last.
 *
 * @param first result of {@link firstFiles}
 */
export function pageFiles(bundle: Readonly<Record<string, Built>>, first: readonly string[]): string[] {
  const found = new Set<string>();
  const begun = first.map((path) => path.slice(1)).filter((file) => file in bundle);
  const open = [...begun];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const built = bundle[file];
    // A chunk with styles only is still listed, but has no file.
    if (!built || found.has(file) || NOT_OFFLINE.test(built.facadeModuleId ?? "")) continue;
    found.add(file);
    open.push(...(built.imports ?? []), ...(built.dynamicImports ?? []));
    const { importedCss, importedAssets } = built.viteMetadata ?? {};
    for (const beside of [...(importedCss ?? []), ...(importedAssets ?? [])])
      if (beside in bundle && !NOT_DRAWN.test(beside)) found.add(beside);
  }
  const rest = [...found].filter((file) => !begun.includes(file)).toSorted();
  return [...rest.filter((file) => !MAP.test(file)), ...rest.filter((file) => MAP.test(file))].map(
    (file) => `/${file}`,
  );
}

/** Write `/worker.js`: the service worker with the build's name and the files of its first page. */
export const workerPlugin = (build: string): Plugin => ({
  name: "mulkko-worker",
  apply: "build",
  enforce: "post",
  async generateBundle(_options, bundle) {
    const { code } = await transformWithOxc(await readFile(SOURCE, "utf8"), SOURCE);
    const first = firstFiles(bundle);
    const source = code
      .replace('"%BUILD%"', JSON.stringify(build))
      .replace('"%FIRST%"', JSON.stringify(JSON.stringify(first)))
      .replace('"%PAGES%"', JSON.stringify(JSON.stringify(pageFiles(bundle, first))));
    if (/%(?:BUILD|FIRST|PAGES)%/.test(source)) throw new Error("the worker was not filled in");
    this.emitFile({ type: "asset", fileName: "worker.js", source });
  },
});
