import type { Mapping } from "./mapping.ts";

/** Parse a cell as a number, or keep its text. */
export type CellReader = (text: string) => unknown;

const GROUPED: Readonly<Record<NonNullable<Mapping["thousands"]>, RegExp>> = {
  ",": /^[+-]?\d{1,3}(,\d{3})+$/,
  ".": /^[+-]?\d{1,3}(\.\d{3})+$/,
  " ": /^[+-]?\d{1,3}([ \u00a0\u202f]\d{3})+$/,
  "'": /^[+-]?\d{1,3}(['’]\d{3})+$/,
};
const SEPARATORS = /[,. \u00a0\u202f'’]/g;
const PLAIN = /^[+-]?\d+$/;
const WITH_EXPONENT = /^([+-]?\d*)(?:([.,])(\d*))?([eE][+-]?\d{1,3})?$/;

/** Neither number nor text: the field check reports a wrong type. */
const NO_NUMBER = false;

/**
 * Read numbers in the file's format. A number in another format, e.g. `1.5` with a decimal comma, is invalid:
 * otherwise it would become another number.
 */
export function createCellReader({
  decimal = ".",
  thousands,
}: Pick<Mapping, "decimal" | "thousands">): CellReader {
  const grouped = thousands === undefined ? null : GROUPED[thousands];
  return (raw) => {
    const text = raw.trim();
    if (text === "" || !/\d/.test(text)) return text;
    const at = text.indexOf(decimal);
    const whole = at < 0 ? text : text.slice(0, at);
    const isGrouped = grouped?.test(whole) ?? false;
    const plain = (isGrouped ? whole.replaceAll(SEPARATORS, "") : whole) + (at < 0 ? "" : text.slice(at));
    const parts = WITH_EXPONENT.exec(plain);
    if (!parts) return /^[+-]?[\d.,' ]+$/.test(text) ? NO_NUMBER : text;
    const [, integer = "", sign, fraction = "", exponent = ""] = parts;
    if (sign !== undefined && sign !== decimal) return NO_NUMBER;
    if (!PLAIN.test(integer) && !/\d/.test(fraction)) return text;
    const number = Number(`${integer}.${fraction || "0"}${exponent}`);
    return Number.isFinite(number) ? number : NO_NUMBER;
  };
}
