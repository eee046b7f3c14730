import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith, isTestCode } from "./source-files.ts";

const CLIENT = /^web\/src\/(?!wall\/|bench\/)/;
const OVERFLOW = new Set(["overflow", "overflowX", "overflowY"]);
const SCROLLS = /["'](auto|scroll)["']/;
const RULE_BLOCK = /\{([^{}]*)\}/g;
const SCROLLS_IN_CSS = /(?<![\w-])overflow(-[xy])?:[^;]*\b(auto|scroll)\b/;
const POSITION_IN_CSS = /(?<![\w-])position:/;

const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length;

/** Return the name of a property or of a JSX attribute. */
function nameOf(node: Node): string | null {
  if (node.type === "Property") {
    if (node.key.type === "Identifier") return node.key.name;
    return node.key.type === "Literal" ? String(node.key.value) : null;
  }
  if (node.type === "JSXAttribute") return node.name.type === "JSXIdentifier" ? node.name.name : null;
  return null;
}

/** Return the lines of style objects and elements that scroll and have no position beside it. */
function scrollersInCode(file: string, text: string): number[] {
  const lines: number[] = [];
  const see = (members: readonly Node[]): void => {
    const scroller = members.find(
      (each) => OVERFLOW.has(nameOf(each) ?? "") && SCROLLS.test(text.slice(each.start, each.end)),
    );
    const isPositioned = members.some((each) => nameOf(each) === "position");
    if (scroller && !isPositioned) lines.push(lineAt(text, scroller.start));
  };
  new Visitor({
    ObjectExpression({ properties }) {
      see(properties);
    },
    JSXOpeningElement({ attributes }) {
      see(attributes);
    },
  }).visit(parseSync(file, text).program);
  return lines;
}

/** Return the lines of rules that scroll and declare no position. */
const scrollersInCss = (text: string): number[] =>
  [...text.matchAll(RULE_BLOCK)]
    .filter(([, rule = ""]) => SCROLLS_IN_CSS.test(rule) && !POSITION_IN_CSS.test(rule))
    .map(({ index }) => lineAt(text, index));

/** Return the scrollers of one file of the client that have no position (UI-1). */
export function scrollerFindings(file: string, text: string): Finding[] {
  const lines = file.endsWith(".css") ? scrollersInCss(text) : scrollersInCode(file, text);
  return lines.map((line) => ({
    file,
    line,
    message: "scrolls and has no position: hidden words in it widen the page (UI-1)",
  }));
}

/**
 * Scrollers of the client are positioned. Text for screen readers is `position: absolute`: without a
 * positioned ancestor inside the scroller it belongs to the page, and a phone lays out a wider page.
 */
export const scrollers: Check = {
  name: "scrollers are positioned",
  async run(root) {
    const files = (await filesEndingWith(root, [".ts", ".tsx", ".css"])).filter(
      (file) => CLIENT.test(file) && !isTestCode(file),
    );
    const found = await Promise.all(
      files.map(async (file) => scrollerFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};
