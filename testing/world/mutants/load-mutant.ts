import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Return the source of the mutant's file with its change. @throws Error where the file has changed meanwhile */
export function mutated(
  { name, find, replace }: Pick<Mutant, "name" | "find" | "replace">,
  source: string,
): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${name}: its text occurs ${parts.length - 1} times`);
  return parts.join(replace);
}

/** Let this process load the mutant's file with its change. Call it before anything imports that file. */
export function loadMutant(mutant: Mutant): void {
  const path = `${ROOT}${mutant.file}`;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:") || fileURLToPath(url) !== path) return loaded;
      return { ...loaded, source: mutated(mutant, String(loaded.source)) };
    },
  });
}
