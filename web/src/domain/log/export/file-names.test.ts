import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utils } from "xlsx";
import { createTimeTexts } from "../../time/time-texts.ts";
import { fileName, rangedFileName, rangeName, sheetNames } from "./write-workbook.ts";

const ODD_NAMES = [
  "History",
  "history",
  "HISTORY ",
  "'History'",
  `${"x".repeat(30)}'y`,
  `${"x".repeat(30)}🍓`,
  "'",
  "''",
  "' '",
  "",
  " ",
  "[]:*?/\\",
  "a\u0000b\u001f",
  "\ufffe",
  "\ud800",
  "Bed (2)",
  "Bed",
  "BED",
  "Ｂｅｄ",
  "Café",
  "Café".normalize("NFD"),
  "Sheet1",
];

/** Add all names to one workbook, as the library accepts them. */
function expectAccepted(names: readonly string[]): void {
  const sheets = sheetNames(names);
  const workbook = utils.book_new();
  for (const name of sheets) utils.book_append_sheet(workbook, utils.aoa_to_sheet([[name]]), name);
  expect(workbook.SheetNames).toEqual(sheets);
  expect(new Set(sheets.map((name) => name.normalize("NFKC").toLowerCase())).size).toBe(names.length);
  for (const name of sheets) {
    expect(name.isWellFormed()).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no XML has them
    expect(name).not.toMatch(/^\s|\s$|[\u0000-\u001f\ufffe\uffff]/);
  }
}

describe("file names", () => {
  it("[XLS-1] one odd name never costs the file: Excel accepts the sheet of every device", () => {
    for (const name of ODD_NAMES) expectAccepted([name, name, name]);
    expectAccepted(ODD_NAMES);
    const name = fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string({ unit: "binary", maxLength: 40 }));
    fc.assert(fc.property(fc.array(name, { maxLength: 12 }), expectAccepted));
  });

  it("[XLS-1] keeps a name that Excel accepts, and marks one that it keeps for itself", () => {
    expect(sheetNames(["고추밭 남쪽", "History", "history", "Bed 1", "Bed 1"])).toEqual([
      "고추밭 남쪽",
      "History_",
      "history_ (2)",
      "Bed 1",
      "Bed 1 (2)",
    ]);
  });

  it("[spec 9] give sheets unique names of at most 31 allowed characters", () => {
    const names = sheetNames(["Bed [1]: a/b\\c*?", "x".repeat(40), "X".repeat(40), "", "'quoted'"]);
    expect(names[0]).toBe("Bed _1__ a_b_c__");
    expect(names[1]).toBe("x".repeat(31));
    expect(names[2]).toBe(`${"X".repeat(27)} (2)`);
    expect(names.slice(3)).toEqual(["_", "_quoted_"]);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(31);
  });
  it("[log] contain the range: two exports of one sensor are two files", () => {
    const texts = createTimeTexts("ko", "Asia/Seoul");
    const at = (text: string) => Date.parse(`${text}+09:00`);
    const named = (from: string, to: string) =>
      rangedFileName("1동 앞 베드", rangeName(at(from), at(to), texts));
    expect(named("2026-11-21T00:00", "2026-11-28T23:59")).toBe("1동 앞 베드 2026-11-21 – 2026-11-28");
    expect(named("2026-11-28T23:30", "2026-11-29T02:30")).toBe(
      "1동 앞 베드 2026-11-28 2330 – 2026-11-29 0230",
    );
    const long = rangedFileName("x".repeat(300), "2026-11-21 – 2026-11-28");
    expect(long).toMatch(/^x+ 2026-11-21 – 2026-11-28$/);
    expect(long).toHaveLength(120);
  });
  it("[spec 9] contain no character that an operating system refuses", () => {
    expect(fileName('밭 1/2: "a" <b>|c?*')).toBe("밭 1_2_ _a_ _b__c__");
    expect(fileName("a\u0000b. ")).toBe("a_b");
    expect(fileName("...")).toBe("_");
    expect(fileName("x".repeat(300))).toHaveLength(120);
  });
});
