import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "./finding.ts";

const DOCUMENT = "docs/dev/architecture.md";
const RULES = ".dependency-cruiser.cjs";

/** A package with its folders in order: in the rules `api: "database http …"`, in the document a list item. */
const IN_RULES = /^ {2}(\w+):\s+"([a-z][a-z -]*)",$/gm;
const IN_DOCUMENT = /^- \*\*(\w+):\*\* (.*)$/gm;

const ordersIn = (text: string, pattern: RegExp, separator: string): Map<string, string> =>
  new Map(
    [...text.matchAll(pattern)].map(([, name = "", list = ""]) => [name, list.split(separator).join(" → ")]),
  );

/** Find packages whose order of folders the document gives otherwise than the rules of imports. */
export const documentedOrder: Check = {
  name: "documented order of folders",
  async run(root) {
    if (!existsSync(join(root, DOCUMENT))) return [];
    const [document, rules] = await Promise.all(
      [DOCUMENT, RULES].map((file) => readFile(join(root, file), "utf8")),
    );
    const written = ordersIn(document ?? "", IN_DOCUMENT, " → ");
    const order = /const ORDER = \{([\s\S]*?)\n\};/.exec(rules ?? "")?.[1] ?? "";
    return [...ordersIn(order, IN_RULES, " ")].flatMap(([name, list]) =>
      written.get(name) === list
        ? []
        : [{ file: DOCUMENT, message: `gives another order of ${name} than ${RULES}: ${list}` }],
    );
  },
};
