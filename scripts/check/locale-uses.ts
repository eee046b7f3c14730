import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { isTestCode, sourceFiles } from "./source-files.ts";

/** Texts of one source file that may be translation keys. */
interface FileTexts {
  readonly file: string;
  readonly literals: ReadonlySet<string>;
  /** Templates such as `age.${unit}` and `${namespace}:title`, as expressions over whole keys. */
  readonly templates: readonly RegExp[];
  /** True if a template begins with a value, as `${group}.${name}` does. */
  readonly joinsGroups: boolean;
}

const DEFAULT_NAMESPACE = "common";

const asPattern = (quasis: readonly string[]): RegExp =>
  new RegExp(`^${quasis.map((quasi) => RegExp.escape(quasi)).join(".+")}$`);

const readTexts = async (root: string, file: string): Promise<FileTexts> => {
  const literals = new Set<string>();
  const templates: RegExp[] = [];
  let joinsGroups = false;
  const visitor = new Visitor({
    Literal(node) {
      if (typeof node.value === "string") literals.add(node.value);
    },
    TemplateLiteral(node) {
      const quasis = node.quasis.map((quasi) => quasi.value.cooked ?? "");
      if (quasis.length === 1) literals.add(quasis[0] ?? "");
      else if (quasis[0] !== "" || /^:\w/.test(quasis[1] ?? "")) templates.push(asPattern(quasis));
      else joinsGroups ||= quasis.some((quasi) => quasi.startsWith("."));
    },
  });
  visitor.visit(parseSync(file, await readFile(join(root, file), "utf8")).program);
  return { file, literals, templates, joinsGroups };
};

const speaks = ({ file, literals }: FileTexts, namespace: string): boolean =>
  namespace === DEFAULT_NAMESPACE || literals.has(namespace) || file.includes(`/features/${namespace}/`);

const groupsOf = (key: string): string[] => {
  const parts = key.split(".");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
};

const mentions = (texts: FileTexts, namespace: string, key: string): boolean => {
  const full = `${namespace}:${key}`;
  if (texts.literals.has(full) || texts.templates.some((template) => template.test(full))) return true;
  if (!speaks(texts, namespace)) return false;
  return (
    texts.literals.has(key) ||
    texts.templates.some((template) => template.test(key)) ||
    (texts.joinsGroups && groupsOf(key).some((group) => texts.literals.has(group)))
  );
};

/**
 * Return a function that tells if source code may use a key. For a key that is composed at run time it
 * returns true: only a certainly unused key is reported.
 */
export const localeUses = async (root: string): Promise<(namespace: string, key: string) => boolean> => {
  const files = (await sourceFiles(root)).filter(
    (file) => /^(web|shared)\/src\//.test(file) && !isTestCode(file),
  );
  const texts = await Promise.all(files.map((file) => readTexts(root, file)));
  return (namespace, key) => texts.some((text) => mentions(text, namespace, key));
};
