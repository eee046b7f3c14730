import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { sourceFiles } from "./source-files.ts";

const BROWSER_TESTS = /^(e2e|testing)\/.*\.tsx?$/;
/** Methods of Playwright and of the DOM whose first argument is a selector. */
const SELECTING = new Set([
  "locator",
  "querySelector",
  "querySelectorAll",
  "closest",
  "matches",
  "waitForSelector",
]);
const CLASS_NAMES = new Set(["className", "classList", "getElementsByClassName"]);
/** A class of the client; the classes of the map library are its interface. */
const CLASS = /(?<=^|[\s,>+~(\w*\])])\.(?!maplibregl-)-?[a-z_][\w-]*/i;
const ATTRIBUTE = /\[[^\]]*\]/g;
/** A selector that is passed through a function or a variable; no file name looks like it. */
const PASSED_CLASS = /^\.(?!maplibregl-)[a-z]+(?:-|__)[\w-]+/i;

/** Return the texts of an argument: a literal, a template without its values, or each side of a choice. */
function textsOf(node: Node | undefined): string[] {
  if (node?.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node?.type === "TemplateLiteral") return [node.quasis.map(({ value }) => value.cooked).join("0")];
  if (node?.type === "ConditionalExpression")
    return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  return [];
}

/** Return the places of one file that find an element by its class. */
function classFindings(file: string, text: string): Finding[] {
  const found = new Map<number, string>();
  const see = (node: Node, name: string | undefined): void => {
    if (name !== undefined) found.set(text.slice(0, node.start).split("\n").length, name);
  };
  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed || !SELECTING.has(callee.property.name))
        return;
      const [selector] = node.arguments;
      for (const each of textsOf(selector))
        see(selector ?? node, CLASS.exec(each.replace(ATTRIBUTE, "[]"))?.[0]);
    },
    Literal(node) {
      if (typeof node.value === "string") see(node, PASSED_CLASS.exec(node.value)?.[0]);
    },
    Identifier(node) {
      if (CLASS_NAMES.has(node.name)) see(node, node.name);
    },
  }).visit(parseSync(file, text).program);
  return [...found].map(([line, name]) => ({
    file,
    line,
    message: `finds an element by ${name}: use a role, a label, a text or a test id`,
  }));
}

/** Class names change with the look of the client; roles, labels and test ids do not. */
export const selectors: Check = {
  name: "browser tests find elements by role, label or test id",
  async run(root) {
    const files = (await sourceFiles(root)).filter((file) => BROWSER_TESTS.test(file));
    const found = await Promise.all(
      files.map(async (file) => classFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};
