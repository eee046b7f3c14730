import { expect, test } from "vitest";
import { reachedOf } from "./coverage.ts";

test("[world] counts the lines of code in blocks that were not reached", () => {
  const text = [
    'import { a } from "./a.ts";',
    "/** Not code. */",
    "export function b(c) {",
    "  if (c) {",
    "    return a;",
    "  }",
    "  // Why.",
    "  return null;",
    "}",
  ].join("\n");
  const block = {
    startOffset: text.indexOf("{\n    return a"),
    endOffset: text.indexOf("  // Why"),
    count: 0,
  };
  const whole = { startOffset: 0, endOffset: text.length, count: 1 };
  expect(reachedOf(text, [whole, block])).toEqual({ lines: 4, missed: [5] });
  expect(reachedOf(text, [whole])).toEqual({ lines: 4, missed: [] });
});
