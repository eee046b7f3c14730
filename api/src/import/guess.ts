import type { Mapping } from "./mapping.ts";

/**
 * Sentences for a file that cannot be read (IMP-1): each says what the file seems to be, and what to do. They
 * never change how it is read.
 */

type Encoding = NonNullable<Mapping["encoding"]>;

const SAVE_AGAIN = "Save it again as UTF-8 (in Excel: “CSV UTF-8”).";

/** Formats that are no text, by their first bytes. */
const BINARY: readonly (readonly [name: string, bytes: readonly number[], advice: string])[] = [
  ["an Excel workbook or another ZIP archive", [0x50, 0x4b, 0x03, 0x04], "Save the sheet as “CSV UTF-8”."],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0], "Save the sheet as “CSV UTF-8”."],
  ["a gzip archive", [0x1f, 0x8b], "Unpack it first."],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46], "Export the values as CSV."],
];

const startsWith = (bytes: Uint8Array, first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

function fits(bytes: Uint8Array, label: string): boolean {
  try {
    // A piece of a file may end within a character.
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Return the share of zero bytes at even or odd places. */
const zeros = (bytes: Uint8Array, odd: 0 | 1): number =>
  bytes.filter((byte, index) => byte === 0 && index % 2 === odd).length / Math.max(1, bytes.length / 2);

/** Korean letters and signs are pairs of high bytes; in the encodings of Europe a high byte stands alone. */
function isInPairs(bytes: Uint8Array): boolean {
  const runs = Buffer.from(bytes)
    .toString("latin1")
    .match(/[\u0080-\u00ff]+/g);
  const even = runs?.filter((run) => run.length % 2 === 0).length ?? 0;
  return even * 2 > (runs?.length ?? 0);
}

function unicodeHint(bytes: Uint8Array, encoding: Encoding): string | null {
  const isLittle = startsWith(bytes, [0xff, 0xfe]) || zeros(bytes, 1) > 0.4;
  if (isLittle && encoding !== "utf-16le") {
    return 'It seems to be UTF-16: say "encoding": "utf-16le" in the mapping.';
  }
  const isBig = startsWith(bytes, [0xfe, 0xff]) || zeros(bytes, 0) > 0.4;
  if (isBig) return `It seems to be UTF-16 with the high byte first. ${SAVE_AGAIN}`;
  if (encoding !== "utf-8" && fits(bytes, "utf-8")) {
    return 'It seems to be UTF-8: leave "encoding" out of the mapping.';
  }
  return null;
}

/**
 * Return a sentence about a file that is not in its encoding.
 *
 * @param bytes the first piece of the file that could not be decoded
 */
export function encodingHint(bytes: Uint8Array, encoding: Encoding): string {
  const binary = BINARY.find(([, first]) => startsWith(bytes, first));
  if (binary) return `It seems to be ${binary[0]}. ${binary[2]}`;
  const unicode = unicodeHint(bytes, encoding);
  if (unicode !== null) return unicode;
  if (zeros(bytes, 0) + zeros(bytes, 1) > 0) return "It seems to be no text file. Export the values as CSV.";
  if (encoding !== "cp949" && isInPairs(bytes) && fits(bytes, "euc-kr")) {
    return 'It seems to come from a Korean Excel: say "encoding": "cp949" in the mapping.';
  }
  return `It seems to be Windows-1252, as Western versions of Excel and many loggers write it. ${SAVE_AGAIN}`;
}

const TIME_FORMS: readonly (readonly [form: RegExp, hint: string])[] = [
  [
    /^[2-7]\d{4}([.,]\d+)?$/,
    "It seems to be Excel's number of a day. Give the column the number format yyyy-mm-dd hh:mm:ss in Excel, and save the file again.",
  ],
  [/^\d{9,10}(\.\d+)?$/, 'It seems to count seconds: use the format "unix-s".'],
  [/^\d{12,13}(\.\d+)?$/, 'It seems to count milliseconds: use the format "unix-ms".'],
  [
    /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/,
    'It seems to be a time with its offset: use the format "iso".',
  ],
  [
    /\p{L}{3}/u,
    "It seems to have the month as a word. Write the times in numbers, such as 2026-11-21 14:05.",
  ],
];

/** Return a sentence about a text that fits none of the mapping's formats of times. */
export function timeHint(text: string): string {
  const known = TIME_FORMS.find(([form]) => form.test(text.trim()));
  return known?.[1] ?? "Change the format in the mapping.";
}
