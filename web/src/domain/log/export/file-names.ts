/** Excel's limits for names of sheets: length and forbidden characters. */
const SHEET_NAME_LENGTH = 31;
const NOT_IN_SHEETS = /[[\]:*?/\\]/g;

/** Characters forbidden in file names on some operating system, including control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match them
const NOT_IN_FILES = /[<>:"/\\|?*\u0000-\u001f\u007f]/g;
const FILE_NAME_LENGTH = 120;

/** Return unique names of sheets that Excel accepts: a second `Bed 1` is `Bed 1 (2)`. */
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
      // Excel ignores case in names of sheets.
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

/** Return a file name without its extension that every operating system accepts. */
export function fileName(name: string): string {
  const clean = name
    .replace(NOT_IN_FILES, "_")
    .replace(/[. ]+$/, "")
    .trim();
  return clean.slice(0, FILE_NAME_LENGTH) || "_";
}
