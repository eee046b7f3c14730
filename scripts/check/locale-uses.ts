import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { isTestCode, sourceFiles } from "./source-files.ts";

/** Texts of one source file that may be translation keys. */
export interface FileTexts {
  readonly file: string;
  readonly literals: ReadonlySet<string>;
  /** Names before a colon (`login:title`), and those given to `useTranslation`. */
  readonly namespaces: ReadonlySet<string>;
  /** Templates such as `age.${unit}` and `${namespace}:title`, as expressions over whole keys. */
  readonly templates: readonly RegExp[];
  /** True if a template begins with a value, as `${group}.${name}` does. */
  readonly joinsGroups: boolean;
}

/** The start of a whole key: `login:title`, but not `node:fs` with a path or a sentence. */
const NAMESPACE = /^([a-z][a-z-]*):[a-z]/;

const DEFAULT_NAMESPACE = "common";

const asPattern = (quasis: readonly string[]): RegExp =>
  new RegExp(`^${quasis.map((quasi) => RegExp.escape(quasi)).join(".+")}$`);

const readTexts = async (root: string, file: string): Promise<FileTexts> => {
  const literals = new Set<string>();
  const namespaces = new Set<string>();
  const templates: RegExp[] = [];
  let joinsGroups = false;
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [names] }) {
      if (callee.type !== "Identifier" || callee.name !== "useTranslation") return;
      for (const node of names?.type === "ArrayExpression" ? names.elements : [names])
        if (node?.type === "Literal" && typeof node.value === "string") namespaces.add(node.value);
    },
    Literal(node) {
      if (typeof node.value !== "string") return;
      literals.add(node.value);
      const name = NAMESPACE.exec(node.value)?.[1];
      if (name !== undefined) namespaces.add(name);
    },
    TemplateLiteral(node) {
      const quasis = node.quasis.map((quasi) => quasi.value.cooked ?? "");
      const name = NAMESPACE.exec(quasis[0] ?? "")?.[1];
      if (name !== undefined) namespaces.add(name);
      if (quasis.length === 1) literals.add(quasis[0] ?? "");
      else if (quasis[0] !== "" || /^:\w/.test(quasis[1] ?? "")) templates.push(asPattern(quasis));
      else joinsGroups ||= quasis.some((quasi) => quasi.startsWith("."));
    },
  });
  visitor.visit(parseSync(file, await readFile(join(root, file), "utf8")).program);
  return { file, literals, namespaces, templates, joinsGroups };
};

const speaks = ({ file, literals }: FileTexts, namespace: string): boolean =>
  namespace === DEFAULT_NAMESPACE || literals.has(namespace) || file.includes(`/features/${namespace}/`);

const groupsOf = (key: string): string[] => {
  const parts = key.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
};

/**
 * Return true if a file may use a key such as `login:title`. For a key that is composed at run time it
 * returns true: only a certainly unused key is reported.
 */
export const uses = (texts: FileTexts, full: string): boolean => {
  const [namespace = "", key = ""] = full.split(":");
  if (texts.literals.has(full) || texts.templates.some((template) => template.test(full))) return true;
  if (!speaks(texts, namespace)) return false;
  return (
    texts.literals.has(key) ||
    texts.templates.some((template) => template.test(key)) ||
    (texts.joinsGroups && groupsOf(key).some((group) => texts.literals.has(group)))
  );
};

/** Read the texts of every source file of the client that may be keys. */
export const readFileTexts = async (root: string): Promise<FileTexts[]> => {
  const files = (await sourceFiles(root)).filter(
    (file) => /^(web|shared)\/src\//.test(file) && !isTestCode(file),
  );
  return Promise.all(files.map((file) => readTexts(root, file)));
};
