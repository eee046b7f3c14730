import { posix } from "node:path";
import type { Check } from "./finding.ts";
import { sourceFiles } from "./source-files.ts";

/** A word that says nothing of what is inside, wherever it stands in the name. */
const EMPTY_WORDS = new Set(["util", "utils", "helper", "helpers", "manager", "misc"]);
/** Words that say nothing when they stand alone. */
const EMPTY_NAMES = new Set(["info", "data", "common", "stuff"]);

const isEmptyName = (file: string): boolean => {
  const name = posix.basename(file).split(".")[0] ?? "";
  const words = name.split(/-|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return EMPTY_NAMES.has(name) || words.some((word) => EMPTY_WORDS.has(word));
};

/** A newcomer guesses the file from the behaviour: names say what is inside. */
export const fileNames: Check = {
  name: "file names",
  async run(root) {
    const files = await sourceFiles(root);
    return files
      .filter(isEmptyName)
      .map((file) => ({ file, message: "has a name that says nothing of what is inside" }));
  },
};
