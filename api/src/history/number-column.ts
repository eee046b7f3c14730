/** Numbers with at most this many decimals are stored as scaled integers. */
const MOST_DECIMALS = 6;
const POWERS = Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);

/** First byte of a column: this value, or the decimals above a code for the width of each number. */
const DOUBLES = 255;
const DOUBLE_BYTES = 8;
const WIDTHS = [0, 1, 2, 4] as const;
/** The first byte, and the minimum, to which the other numbers are relative. */
const HEAD_BYTES = 5;

/** Return the exact number of decimals of all values; null where there are more than the limit. */
function decimalsOf(values: readonly number[]): number | null {
  const decimals = POWERS.findIndex((power) =>
    values.every((value) => Math.round(value * power) / power === value),
  );
  return decimals < 0 ? null : decimals;
}

function doublesOf(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(1 + values.length * DOUBLE_BYTES);
  bytes[0] = DOUBLES;
  for (const [place, value] of values.entries()) bytes.writeDoubleLE(value, 1 + place * DOUBLE_BYTES);
  return bytes;
}

/**
 * Encode numbers losslessly in few bytes: measured values have few decimals and lie close together within a
 * day. Other numbers are written as doubles. The count is not encoded.
 */
export function columnOfNumbers(values: readonly number[]): Buffer {
  const decimals = decimalsOf(values);
  if (decimals === null) return doublesOf(values);
  const whole = values.map((value) => Math.round(value * (POWERS[decimals] ?? 1)));
  const least = Math.min(...whole);
  const reach = Math.max(...whole) - least;
  if (Math.abs(least) >= 2 ** 31 || reach >= 2 ** 32) return doublesOf(values);
  const code = reach === 0 ? 0 : reach < 2 ** 8 ? 1 : reach < 2 ** 16 ? 2 : 3;
  const width = WIDTHS[code];
  const bytes = Buffer.alloc(HEAD_BYTES + whole.length * width);
  bytes[0] = (decimals << 2) | code;
  bytes.writeInt32LE(least, 1);
  if (width > 0) {
    for (const [place, value] of whole.entries()) {
      bytes.writeUIntLE(value - least, HEAD_BYTES + place * width, width);
    }
  }
  return bytes;
}

/** Return the offset from the minimum at a position, of a given width. */
function aboveLeast(bytes: DataView, at: number, width: (typeof WIDTHS)[number]): number {
  switch (width) {
    case 0:
      return 0;
    case 1:
      return bytes.getUint8(at);
    case 2:
      return bytes.getUint16(at, true);
    case 4:
      return bytes.getUint32(at, true);
  }
}

/** Return the largest size of a column of this many numbers, bytes. */
export const mostBytesOf = (count: number): number => 1 + count * DOUBLE_BYTES;

/**
 * Decode this many numbers.
 *
 * @param at start of the column
 * @returns the start of the next one
 * @throws RangeError where the bytes are not such a column
 */
export function readColumn(bytes: DataView, at: number, into: Float64Array, count: number): number {
  const head = bytes.getUint8(at);
  if (head === DOUBLES) {
    for (let place = 0; place < count; place += 1) {
      into[place] = bytes.getFloat64(at + 1 + place * DOUBLE_BYTES, true);
    }
    return at + 1 + count * DOUBLE_BYTES;
  }
  const power = POWERS[head >> 2];
  const width = WIDTHS[head & 3];
  if (power === undefined || width === undefined) throw new RangeError(`no column begins with ${head}`);
  const least = bytes.getInt32(at + 1, true);
  for (let place = 0; place < count; place += 1) {
    into[place] = (least + aboveLeast(bytes, at + HEAD_BYTES + place * width, width)) / power;
  }
  return at + HEAD_BYTES + count * width;
}
