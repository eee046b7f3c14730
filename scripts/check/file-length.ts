import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Check, Finding } from "./finding.ts";
import { filesEndingWith } from "./source-files.ts";

const MAX_LINES = 300;

/** The comment that opens the file: `/* … *\/` or a run of `//` lines. */
const OPENING_COMMENT = /^\s*(\/\*[\s\S]*?\*\/|(?:\/\/[^\n]*\n)+)/;

const saysWhyItIsLong = (text: string): boolean => /\blong\b/i.test(OPENING_COMMENT.exec(text)?.[1] ?? "");

/** One file, one idea: a file over 300 lines says in its first comment why it is long. */
export const fileLength: Check = {
  name: "file length",
  async run(root) {
    const files = await filesEndingWith(root, [".ts", ".tsx", ".css"]);
    const findings = await Promise.all(
      files.map(async (file): Promise<Finding[]> => {
        const text = await readFile(join(root, file), "utf8");
        const lines = text.trimEnd().split("\n").length;
        if (lines <= MAX_LINES || saysWhyItIsLong(text)) return [];
        return [
          { file, message: `has ${lines} lines: divide it, or say in its first comment why it is long` },
        ];
      }),
    );
    return findings.flat();
  },
};
