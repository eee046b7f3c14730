import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CallExpression, type Node, parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { type ImportStatement, importsOf } from "./imports.ts";
import { namespaces } from "./locale-file.ts";
import { isTestCode, sourceFiles } from "./source-files.ts";

/** Files with the routes of the pages, the router itself first. */
const ROUTERS = ["web/src/app/router.tsx", "web/src/app/admin-routes.tsx"] as const;
const [ROUTER] = ROUTERS;
/** Namespaces loaded before the first render; the same as in `web/src/i18n/first-words-ko.ts`. */
const FIRST_WORDS = ["common", "dashboard", "shell", "weather"];

/** A page of the router. */
interface Page {
  readonly path: string;
  /** File of its `import("…")`. */
  readonly file: string;
  readonly words: readonly string[];
}

/** Namespaces that one source file uses, and those that it loads by itself. */
interface Spoken {
  readonly used: ReadonlySet<string>;
  readonly brought: ReadonlySet<string>;
}

const textOf = (node: Node | null | undefined): string[] => {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type === "ArrayExpression") return node.elements.flatMap((element) => textOf(element));
  return [];
};

const calls = (file: string, text: string, callee: string): CallExpression[] => {
  const found: CallExpression[] = [];
  new Visitor({
    CallExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === callee) found.push(node);
    },
  }).visit(parseSync(file, text).program);
  return found;
};

const pagesOf = async (root: string, router: string, brings: readonly ImportStatement[]): Promise<Page[]> => {
  const text = await readFile(join(root, router), "utf8");
  return calls(router, text, "page").flatMap((call) => {
    const [path, load, words] = call.arguments;
    const source = load ? text.slice(load.start, load.end) : "";
    const file = brings.find(({ specifier }) => source.includes(`"${specifier}"`))?.to;
    return file ? [{ path: textOf(path)[0] ?? file, file, words: textOf(words) }] : [];
  });
};

const spokenBy = async (root: string, file: string, names: readonly string[]): Promise<Spoken> => {
  const text = await readFile(join(root, file), "utf8");
  const used = new Set(calls(file, text, "useTranslation").flatMap((call) => textOf(call.arguments[0])));
  const use = (key: string | null | undefined): void => {
    const [name = "", rest] = key?.split(":") ?? [];
    if (rest !== undefined && names.includes(name)) used.add(name);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") use(node.value);
    },
    TemplateLiteral(node) {
      use(node.quasis[0]?.value.cooked);
    },
  }).visit(parseSync(file, text).program);
  const brought = calls(file, text, "loadWords").flatMap((call) => textOf(call.arguments[0]));
  return { used, brought: new Set(brought) };
};

/** Return every file of the client that these import, including themselves. */
const reachable = (from: readonly string[], imports: ReadonlyMap<string, readonly ImportStatement[]>) => {
  const seen = new Set<string>();
  const open = [...from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !imports.has(file)) continue;
    seen.add(file);
    for (const { to, typeOnly } of imports.get(file) ?? []) if (to !== null && !typeOnly) open.push(to);
  }
  return seen;
};

/**
 * Find pages of the client that do not load the translations of all their components: users would see keys.
 */
export const pageWords: Check = {
  name: "words of pages",
  async run(root) {
    if (!existsSync(join(root, ROUTER))) return [];
    const files = (await sourceFiles(root)).filter(
      (file) => /^web\/src\/.*\.tsx?$/.test(file) && !isTestCode(file),
    );
    const imports = new Map(
      await Promise.all(files.map(async (file) => [file, await importsOf(root, file)] as const)),
    );
    const names = await namespaces(root);
    const spoken = new Map(
      await Promise.all(files.map(async (file) => [file, await spokenBy(root, file, names)] as const)),
    );
    const routers = ROUTERS.flatMap((file) => {
      const brings = imports.get(file);
      return brings ? [{ file, brings }] : [];
    });
    const pages = (await Promise.all(routers.map(({ file, brings }) => pagesOf(root, file, brings)))).flat();
    const apart = new Set([...pages.map(({ file }) => file), ...routers.map(({ file }) => file)]);
    const eager = routers
      .flatMap(({ brings }) => brings)
      .flatMap(({ to }) => (to && !apart.has(to) ? [to] : []));
    const lacks = (what: string, from: readonly string[], words: readonly string[]): Finding[] => {
      const drawn = [...reachable(from, imports)];
      const brought = new Set([
        ...FIRST_WORDS,
        ...words,
        ...drawn.flatMap((file) => [...(spoken.get(file)?.brought ?? [])]),
      ]);
      const findings = new Map<string, Finding>();
      for (const file of drawn) {
        for (const name of spoken.get(file)?.used ?? []) {
          if (!brought.has(name) && names.includes(name) && !findings.has(name))
            findings.set(name, { file: ROUTER, message: `${what} lacks the words "${name}" of ${file}` });
        }
      }
      return [...findings.values()];
    };
    return [
      ...lacks("the first load", eager, []),
      ...pages.flatMap(({ path, file, words }) => lacks(`the page ${path}`, [file], words)),
    ];
  },
};
