import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { Edit, Mutant } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Return all changes of a mutant. */
export const editsOf = ({ file, find, replace, also = [] }: Mutant): readonly Edit[] => [
  { file, find, replace },
  ...also,
];

/** Return the source of a file with a change. @throws Error where the file has changed meanwhile */
export function edited({ file, find, replace }: Edit, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file}: the text of the mutant occurs ${parts.length - 1} times`);
  return parts.join(replace);
}

/** Let this process load the mutant's files with its changes. Call it before anything imports them. */
export function loadMutant(mutant: Mutant): void {
  const edits = editsOf(mutant);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:")) return loaded;
      const path = fileURLToPath(url);
      const own = edits.filter(({ file }) => path === `${ROOT}${file}`);
      if (own.length === 0) return loaded;
      return { ...loaded, source: own.reduce((text, edit) => edited(edit, text), String(loaded.source)) };
    },
  });
}
