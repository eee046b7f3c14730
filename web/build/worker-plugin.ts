import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Plugin, transformWithOxc } from "vite";

const SOURCE = resolve(import.meta.dirname, "../worker/service-worker.ts");

/** Chunks of the first page that are fetched by name: the words of each language. */
const FETCHED_FIRST = /^first-words-/;

/**
 * Modules that begin a part which no farmer needs without a network: the administrators' pages and words, another
 * account's farm, walls, files of Excel, the other way to the relay.
 */
const NOT_OFFLINE =
  /\/(?:features\/(?:admin-[^/]+|displays)|app\/(?:admin-desk|reading)|wall|log\/export)\/|\/(?:desk-words-\w+|socketio-door)\.ts$|\/node_modules\/.*\/xlsx/;

/** Faces are kept as they are used; a licence is read by who looks for it. */
const NOT_DRAWN = /\.(?:woff2?|txt)$/;

/** Fetched last: large, and no reading stands in it. */
const MAP = /maplibre|farm-map-view|webgl|gpu|geojson/;

/** What stands beside the built files and belongs to the first page. */
const BESIDE = ["/", "/manifest.webmanifest", "/icon.svg"];

/** A built file as far as it is looked at here. */
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

/**
 * Paths of everything else that a farmer's pages are made of, in any language, the map last.
 *
 * @param first what {@link firstFiles} names
 */
export function pageFiles(bundle: Readonly<Record<string, Built>>, first: readonly string[]): string[] {
  const found = new Set<string>();
  const begun = first.map((path) => path.slice(1)).filter((file) => file in bundle);
  const open = [...begun];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const built = bundle[file];
    // A chunk that held nothing but styles is named still, and is no file.
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

/** Writes `/worker.js`: the service worker, with the build's name and the files of its first page in it. */
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
