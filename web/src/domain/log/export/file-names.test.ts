import { describe, expect, it } from "vitest";
import { fileName, sheetNames } from "./write-workbook.ts";

describe("file names", () => {
  it("[spec 9] give sheets unique names of at most 31 allowed characters", () => {
    const names = sheetNames(["Bed [1]: a/b\\c*?", "x".repeat(40), "X".repeat(40), "", "'quoted'"]);
    expect(names[0]).toBe("Bed _1__ a_b_c__");
    expect(names[1]).toBe("x".repeat(31));
    expect(names[2]).toBe(`${"X".repeat(27)} (2)`);
    expect(names.slice(3)).toEqual(["_", "_quoted_"]);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(31);
  });
  it("[spec 9] contain no character that an operating system refuses", () => {
    expect(fileName('밭 1/2: "a" <b>|c?*')).toBe("밭 1_2_ _a_ _b__c__");
    expect(fileName("a\u0000b. ")).toBe("a_b");
    expect(fileName("...")).toBe("_");
    expect(fileName("x".repeat(300))).toHaveLength(120);
  });
});
