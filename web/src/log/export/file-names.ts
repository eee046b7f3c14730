/** Excel takes no longer names of sheets, and none of these signs in them. */
const SHEET_NAME_LENGTH = 31;
const NOT_IN_SHEETS = /[[\]:*?/\\]/g;

/** What some system or other refuses in the name of a file, control signs among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be found
const NOT_IN_FILES = /[<>:"/\\|?*\u0000-\u001f\u007f]/g;
const FILE_NAME_LENGTH = 120;

/** Names of sheets, each once, as Excel takes them: a second `Bed 1` is `Bed 1 (2)`. */
export function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const clean =
      name
        .replace(NOT_IN_SHEETS, "_")
        .replace(/^'+|'+$/g, "_")
        .trim() || "_";
    for (let count = 1; ; count += 1) {
      const ending = count === 1 ? "" : ` (${count})`;
      const candidate = clean.slice(0, SHEET_NAME_LENGTH - ending.length).trimEnd() + ending;
      // Excel tells no capitals from small letters.
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

/** The name of a file without its ending, as every system takes it. */
export function fileName(name: string): string {
  const clean = name
    .replace(NOT_IN_FILES, "_")
    .replace(/[. ]+$/, "")
    .trim();
  return clean.slice(0, FILE_NAME_LENGTH) || "_";
}
