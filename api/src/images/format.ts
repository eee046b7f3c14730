/** Format and size of an image file, read from its first bytes: nothing is decompressed. */
export interface ImageHead {
  readonly format: ImageFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type ImageFormat = "png" | "jpeg" | "webp";

/** Longest side and most pixels: photos of current phones fit, decompression bombs do not. */
export const MAX_SIDE = 16_384;
export const MAX_PIXELS = 51_000_000;

const text = (bytes: Buffer, start: number, length: number): string =>
  bytes.toString("latin1", start, start + length);

/** https://www.w3.org/TR/png-3/#11IHDR */
function readPng(bytes: Buffer): ImageHead | null {
  if (bytes.length < 33 || text(bytes, 0, 8) !== "\x89PNG\r\n\x1a\n") return null;
  if (bytes.readUInt32BE(8) !== 13 || text(bytes, 12, 4) !== "IHDR") return null;
  return { format: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * Start of frame, with the size; C4, C8 and CC of that range are tables.
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.1.1.3
 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Markers without a length field. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function readJpeg(bytes: Buffer): ImageHead | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (isBare(marker)) {
      at += 2;
    } else if (isFrame(marker)) {
      return { format: "jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE || marker === 0) {
      return null;
    } else {
      at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    }
  }
  return null;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function readWebp(bytes: Buffer): ImageHead | null {
  if (bytes.length < 30 || text(bytes, 0, 4) !== "RIFF" || text(bytes, 8, 4) !== "WEBP") return null;
  switch (text(bytes, 12, 4)) {
    case "VP8 ": {
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
      return { format: "webp", width, height };
    }
    case "VP8L": {
      if (bytes.readUInt8(20) !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return { format: "webp", width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { format: "webp", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Return the format of the bytes, whatever their name; null where they are neither PNG, JPEG nor WebP. */
export const readImageHead = (bytes: Buffer): ImageHead | null =>
  readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);

/** True for an image that can be decompressed safely. */
export const isReasonable = ({ width, height }: ImageHead): boolean =>
  width > 0 && height > 0 && Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS;
