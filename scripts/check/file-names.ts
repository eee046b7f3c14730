import { posix } from "node:path";
import type { Check } from "./finding.ts";
import { sourceFiles } from "./source-files.ts";

/** A word without meaning, anywhere in the name. */
const EMPTY_WORDS = new Set(["util", "utils", "helper", "helpers", "manager", "misc"]);
/** Words without meaning when they are the whole name. */
const EMPTY_NAMES = new Set(["info", "data", "common", "stuff"]);

const isEmptyName = (file: string): boolean => {
  const name = posix.basename(file).split(".")[0] ?? "";
  const words = name.split(/-|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return EMPTY_NAMES.has(name) || words.some((word) => EMPTY_WORDS.has(word));
};

/** Find file names that do not describe their content: a newcomer guesses the file from the behaviour. */
export const fileNames: Check = {
  name: "file names",
  async run(root) {
    const files = await sourceFiles(root);
    return files
      .filter(isEmptyName)
      .map((file) => ({ file, message: "has a name that says nothing of what is inside" }));
  },
};
