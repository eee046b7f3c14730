import { expect, test } from "vitest";
import { encodingHint, timeHint } from "./guess.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));
/** 시각,수분 in CP949 */
const KOREAN = Buffer.from("bdc3b0a22cbcf6bad00a323032362d31312d30322030303a30302c33310a", "hex");

test.each([
  ["°C of a logger in Windows-1252", bytes("time,T (°C)\n2026-11-01 00:00,3.1\n"), "Windows-1252"],
  ["French in Windows-1252", bytes("heure,température\n1,2\n"), "Windows-1252"],
  ["German in Windows-1252", bytes("Zeit;Bodenwärme;für Beet\n"), "Windows-1252"],
  ["µS/cm in Windows-1252", bytes("time,EC µS/cm\n"), "Windows-1252"],
  ["Korean in CP949", KOREAN, '"encoding": "cp949"'],
  ["UTF-16 with a mark", Buffer.from("\ufefftime,수분\n", "utf16le"), '"utf-16le"'],
  ["UTF-16 without a mark", Buffer.from("time,moisture\n1,2\n", "utf16le"), '"utf-16le"'],
  ["UTF-16, high byte first", Buffer.from("\ufefftime,T\n", "utf16le").swap16(), "high byte first"],
  ["a workbook", bytes([0x50, 0x4b, 3, 4, 0x14, 0, 0, 0, 0xff]), "Excel workbook"],
  ["an old workbook", bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), "old Excel workbook"],
  ["gzip", bytes([0x1f, 0x8b, 8, 0]), "Unpack"],
  ["a picture", bytes([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49]), "no text file"],
])("[IMP-1] names %s, and what to do", (_what, file, sentence) => {
  const hint = encodingHint(file, "utf-8");
  expect(hint).toContain(sentence);
  expect(hint).toMatch(/\. (Save|Unpack|Export)|say "encoding"/);
});

test("[IMP-1] names UTF-8 where the mapping says another encoding", () => {
  for (const encoding of ["cp949", "utf-16le"] as const) {
    expect(encodingHint(Buffer.from("time,수분\n"), encoding)).toContain("seems to be UTF-8");
  }
  expect(encodingHint(bytes("für,wärme\n"), "cp949")).toContain("Windows-1252");
  // A piece of a file may end within a character.
  expect(encodingHint(Buffer.from("수분").subarray(0, 4), "cp949")).toContain("seems to be UTF-8");
});

test.each([
  ["46348.5", "Excel's number of a day"],
  ["46348", "Excel's number of a day"],
  ["46348,5", "Excel's number of a day"],
  ["1795910400", "unix-s"],
  ["1795910400000", "unix-ms"],
  ["2026-11-21T14:05:00+09:00", '"iso"'],
  ["Nov 21 2026 14:05", "month as a word"],
  ["21-März-2026", "month as a word"],
  ["2026/11/21 14:05", "Change the format"],
  ["", "Change the format"],
])("[IMP-1] says what the time “%s” seems to be, and what to do", (text, sentence) => {
  expect(timeHint(text)).toContain(sentence);
});
