import { describe, expect, it } from "vitest";
import { scrollerFindings } from "./scrollers.ts";

const linesOf = (file: string, text: string) => scrollerFindings(file, text).map(({ line }) => line);

describe("scrollers without a position", () => {
  it.each([
    ["an element", '<Box overflowX="auto" />;'],
    ["an element that scrolls from a width on", '<Box overflowY={{ md: "auto" }} />;'],
    ["an element whose child is positioned", '<Box overflow="scroll"><p position="relative" /></Box>;'],
    ["a style", 'const STRIP = { py: "1", overflowX: "auto" };'],
    ["a nested style", 'const LIST = { position: "relative", "& ul": { overflow: "auto" } };'],
    ["a quoted name", 'const LIST = { "overflowX": "scroll" };'],
  ])("[UI-1] finds %s", (_, text) => {
    expect(linesOf("web/src/a.tsx", text)).toEqual([1]);
  });

  it.each([
    ["an element", '<Box position="relative" overflowX="auto" />;'],
    ["a sticky style", 'const STRIP = { position: "sticky", overflowX: "auto" };'],
    ["a cut text", 'const NAME = { overflow: "hidden", textOverflow: "ellipsis" };'],
  ])("[UI-1] accepts %s", (_, text) => {
    expect(linesOf("web/src/a.tsx", text)).toEqual([]);
  });

  it("[UI-1] finds a rule of a style sheet, also inside a media query", () => {
    const css =
      ".a {\n  overflow-x: auto;\n}\n@media print {\n  .b {\n    overflow: hidden scroll;\n  }\n}\n";
    expect(linesOf("web/src/a.css", css)).toEqual([1, 5]);
    expect(linesOf("web/src/a.css", css.replaceAll("overflow", "position: relative; overflow"))).toEqual([]);
  });
});
