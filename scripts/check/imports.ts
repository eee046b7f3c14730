import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

export interface ImportStatement {
  /** The importing file, relative to the root. */
  readonly from: string;
  readonly line: number;
  /** The specifier as written: `./quality.ts`, `node:fs`, `@mulkko/shared/rules/quality`. */
  readonly specifier: string;
  /** The imported file of this workspace, relative to the root; null for an external package. */
  readonly to: string | null;
  /** True for `import type`, which is erased before run time. */
  readonly typeOnly: boolean;
}

const WORKSPACE_PACKAGE = /^@mulkko\/([^/]+)\/(.+)$/;

/** Resolve a package's `exports`. */
const exported = (name: string, path: string): string =>
  path.endsWith(".json") ? `${name}/${path}` : `${name}/src/${path}.ts`;

const target = (from: string, specifier: string): string | null => {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  const [, name, path] = WORKSPACE_PACKAGE.exec(specifier) ?? [];
  return name === undefined || path === undefined ? null : exported(name, path);
};

const DYNAMIC_SPECIFIER = /^(["'`])([^$]*)\1$/;

/** Return every import and re-export of one file, including types and `import("…")`. */
export const importsOf = async (root: string, file: string): Promise<ImportStatement[]> => {
  const text = await readFile(join(root, file), "utf8");
  const { module } = parseSync(file, text);
  const statement = (specifier: string, start: number, typeOnly: boolean): ImportStatement => ({
    from: file,
    line: text.slice(0, start).split("\n").length,
    specifier,
    to: target(file, specifier),
    typeOnly,
  });
  const imports = module.staticImports.map(({ moduleRequest, start, entries }) =>
    statement(moduleRequest.value, start, entries.length > 0 && entries.every((entry) => entry.isType)),
  );
  const reExports = module.staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [statement(moduleRequest.value, start, isType)],
    ),
  );
  const dynamic = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const specifier = DYNAMIC_SPECIFIER.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    return specifier === undefined ? [] : [statement(specifier, start, false)];
  });
  return [...imports, ...reExports, ...dynamic];
};
