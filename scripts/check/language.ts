import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";

/** A docstring says what a thing does ("Return …", "Close the valve …"), not "What is returned". */
const OPENING = /^(What|Who|Whom|Whose|Whether|Whoever|Whatever|Where|Nothing|Nobody|Somebody)\b/;

/** Words that hide the subject: the user, the client, the relay, the controller. */
const BANNED = /\b(nobody|somebody|anybody|everybody|whoever|anew|thereof|heard|unheard|told|untold)\b/gi;

/** Words of a name that hide the subject too. `heardAt` is a name of the wire, `isTouched` one of react-hook-form. */
const BANNED_IN_NAMES = new Set(["heard", "told", "untold", "touched", "anew", "nobody", "somebody"]);
const NAME_OF_OTHERS = /[hH]eard(At|_at)|isTouched/g;

/** It must name what is forbidden. */
const OWN_TEST = "scripts/check/language.test.ts";

/** Files with `#` comments: services, their settings and the image. */
const HASH_COMMENTS = [".yml", ".env", ".cfg", ".conf", ".sh", "ops/mosquitto/acl", "Dockerfile"];
const READ = [".ts", ".tsx", ".md", ".css", ".sql", ...HASH_COMMENTS];

interface Prose {
  readonly line: number;
  readonly text: string;
  readonly isDocstring: boolean;
}

const isCode = (file: string): boolean => /\.tsx?$/.test(file);
const lineAt = (text: string, position: number): number => text.slice(0, position).split("\n").length;

/** Return the words of a name that it should not have: `isHeardAnew` → `heard`, `anew`. */
function bannedWordsOf(name: string): string[] {
  const words = name.replaceAll(NAME_OF_OTHERS, "").split(/_|(?<=[a-z])(?=[A-Z])/);
  return words.map((word) => word.toLowerCase()).filter((word) => BANNED_IN_NAMES.has(word));
}

/** Return the names that a file declares or uses with such a word, once each. */
function nameFindings(file: string, text: string): Finding[] {
  const found = new Map<string, Finding>();
  new Visitor({
    Identifier({ name, start }) {
      const [word] = bannedWordsOf(name);
      if (word === undefined || found.has(name)) return;
      found.set(name, {
        file,
        line: lineAt(text, start),
        message: `names ${name}: "${word}" has no subject`,
      });
    },
  }).visit(parseSync(file, text).program);
  return [...found.values()];
}

const linesOf = (text: string): Prose[] =>
  text.split("\n").map((line, index) => ({ line: index + 1, text: line, isDocstring: false }));

function proseOf(file: string, text: string): Prose[] {
  if (file.endsWith(".md")) {
    return linesOf(text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, " ")));
  }
  if (file.endsWith(".css")) {
    return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) =>
      linesOf(comment).map((one) => ({ ...one, line: lineAt(text, index) + one.line - 1 })),
    );
  }
  if (file.endsWith(".sql")) return linesOf(text.replaceAll(/^.*?(?=--|$)/gm, ""));
  if (!isCode(file)) return linesOf(text.replaceAll(/^(?!\s*#).*?(?=\s#|$)/gm, ""));
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

/** Return the openings of docstrings, words and names of one file that are not plain technical English. */
export function languageFindings(file: string, text: string): Finding[] {
  const prose = proseOf(file, text).flatMap(({ line, text: said, isDocstring }): Finding[] => {
    const opening = isDocstring ? OPENING.exec(said)?.[1] : undefined;
    const words = [...new Set([...said.matchAll(BANNED)].map(([word]) => word.toLowerCase()))];
    return [
      ...(opening === undefined
        ? []
        : [{ file, line, message: `a docstring begins with "${opening}": say what the thing does` }]),
      ...words.map((word) => ({ file, line, message: `says "${word}": name the subject` })),
    ];
  });
  return isCode(file) ? [...prose, ...nameFindings(file, text)] : prose;
}

/**
 * Comments, docstrings, sentences in code, titles of tests and documents are plain technical English; also
 * comments in style sheets, migrations and the settings of services.
 */
export const language: Check = {
  name: "language",
  async run(root) {
    const all = await filesEndingWith(root, READ);
    const files = all.filter((file) => file !== OWN_TEST);
    const found = await Promise.all(
      files.map(async (file) => languageFindings(file, await readFile(join(root, file), "utf8"))),
    );
    return found.flat();
  },
};
