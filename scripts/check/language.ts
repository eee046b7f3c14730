import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";

/** A docstring says what a thing does ("Return …", "Close the valve …"), not "What is returned". */
const OPENING = /^(What|Who|Whom|Whose|Whether|Whoever|Whatever|Where|Nothing|Nobody|Somebody)\b/;

/** Words that hide the subject: the user, the client, the relay, the controller. */
const BANNED = /\b(nobody|somebody|anybody|everybody|whoever|anew|thereof|heard|unheard|told|untold)\b/gi;

/** It must name what is forbidden. */
const OWN_TEST = "scripts/check/language.test.ts";

interface Prose {
  readonly line: number;
  readonly text: string;
  readonly isDocstring: boolean;
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length;

function proseOf(file: string, text: string): Prose[] {
  if (file.endsWith(".md")) {
    const withoutCode = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, (code) =>
      code.replaceAll(/[^\n]/g, " "),
    );
    return withoutCode
      .split("\n")
      .map((line, index) => ({ line: index + 1, text: line, isDocstring: false }));
  }
  const { comments, program } = parseSync(file, text);
  const sentences: Prose[] = [];
  const add = (start: number, sentence: string): void => {
    // A text without a space is a value, not a sentence.
    if (/\S\s+\S/.test(sentence))
      sentences.push({ line: lineAt(text, start), text: sentence, isDocstring: false });
  };
  new Visitor({
    Literal({ start, value }) {
      if (typeof value === "string") add(start, value);
    },
    TemplateLiteral({ start, quasis }) {
      add(start, quasis.map(({ value }) => value.cooked ?? "").join("…"));
    },
  }).visit(program);
  return [
    ...comments.map(({ type, value, start }) => ({
      line: lineAt(text, start),
      text: value.replaceAll(/`[^`\n]*`/g, "").replaceAll(/^[\s*]+/gm, ""),
      isDocstring: type === "Block" && value.startsWith("*"),
    })),
    ...sentences,
  ];
}

/** Return what style.md forbids in one file: the opening of a docstring, and words without a subject. */
export function languageFindings(file: string, text: string): Finding[] {
  return proseOf(file, text).flatMap(({ line, text: prose, isDocstring }): Finding[] => {
    const opening = isDocstring ? OPENING.exec(prose)?.[1] : undefined;
    const words = [...new Set([...prose.matchAll(BANNED)].map(([word]) => word.toLowerCase()))];
    return [
      ...(opening === undefined
        ? []
        : [{ file, line, message: `a docstring begins with "${opening}": say what the thing does` }]),
      ...words.map((word) => ({ file, line, message: `says "${word}": name the subject` })),
    ];
  });
}

/** Comments, docstrings, sentences in code, titles of tests and documents are plain technical English. */
export const language: Check = {
  name: "language",
  async run(root) {
    const all = await filesEndingWith(root, [".ts", ".tsx", ".md"]);
    const files = all.filter((file) => file !== OWN_TEST);
    const found = await Promise.all(
      files.map(async (file) => languageFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};
