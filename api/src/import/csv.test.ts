import fc from "fast-check";
import { expect, test } from "vitest";
import { type CsvRow, createCsvReader, MAX_ROW_LENGTH } from "./csv.ts";

const FORMAT = { delimiter: ",", quote: '"' };

/** Read a text in chunks of a length. */
function readAll(
  text: string,
  piece = text.length || 1,
  format: Parameters<typeof createCsvReader>[0] = FORMAT,
): CsvRow[] {
  const reader = createCsvReader(format);
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length; at += piece) rows.push(...reader.push(text.slice(at, at + piece)));
  return [...rows, ...reader.end()];
}
const cellsOf = (rows: readonly CsvRow[]) => rows.map((row) => ("cells" in row ? row.cells : row.fault));

test("[csv] accepts both line ends, even mixed; the last line needs none", () => {
  expect(cellsOf(readAll("a,b\r\n1,2\n3,"))).toEqual([
    ["a", "b"],
    ["1", "2"],
    ["3", ""],
  ]);
});

test("[csv] quoted cells contain delimiters, quotes and line ends; a row has the number of its first line", () => {
  expect(readAll('"a,b","say ""hi"""\n"x\ny",\n5')).toEqual([
    { line: 1, cells: ["a,b", 'say "hi"'] },
    { line: 2, cells: ["x\ny", ""] },
    { line: 4, cells: ["5"] },
  ]);
});

test("[csv] a misplaced quote invalidates its line only", () => {
  expect(readAll('1,5" pipe\n"a"b,2\n3,4\n"open\n7,"8"\n9,10')).toEqual([
    { line: 1, fault: "bad-quote" },
    { line: 2, fault: "bad-quote" },
    { line: 3, cells: ["3", "4"] },
    { line: 4, fault: "bad-quote" },
    { line: 5, cells: ["7", "8"] },
    { line: 6, cells: ["9", "10"] },
  ]);
});

test("[csv] gives up an unclosed quote, and reads every line after it", () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `${index},1`);
  const rows = readAll(`"open\n${lines.join("\n")}`, 5_000);
  expect(rows).toHaveLength(40_001);
  expect(rows[0]).toEqual({ line: 1, fault: "bad-quote" });
  expect(rows.at(-1)).toEqual({ line: 40_001, cells: ["39999", "1"] });
});

test("[csv] drops an endless line as it arrives", () => {
  const rows = readAll(`a\n${"x".repeat(5 * MAX_ROW_LENGTH)}\nb`, 1_000);
  expect(rows).toEqual([
    { line: 1, cells: ["a"] },
    { line: 2, fault: "line-too-long" },
    { line: 3, cells: ["b"] },
  ]);
});

test("[csv] treats quotes as text without a quote character, and accepts another delimiter", () => {
  expect(cellsOf(readAll('5";6', 1, { delimiter: ";", quote: null }))).toEqual([['5"', "6"]]);
});

test("[csv] reads back written rows, for any cells and chunks", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "수", "\r") });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 40 }), (rows, piece) => {
      // A line end inside a cell at the end of a line is ambiguous.
      const plain = rows.map((cells) => cells.map((text) => text.replaceAll("\r", "")));
      const text = plain
        .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(","))
        .join("\n");
      expect(cellsOf(readAll(text, piece))).toEqual(plain);
    }),
    { seed: 3 },
  );
});

test("[hostile] no text makes it fail, and no line is reported twice", () => {
  const text = fc.string({ unit: fc.constantFrom('"', ",", "\n", "x", "\r\n"), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (hostile, piece) => {
      const lines = readAll(hostile, piece).map(({ line }) => line);
      expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b));
      expect(lines.at(-1) ?? 0).toBeLessThanOrEqual(hostile.split("\n").length);
    }),
    { seed: 4 },
  );
});
