/** Minimal beginnings of image files, sufficient for readers of the header. */

export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** Build a JPEG with an application segment before the frame, as cameras write it. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 6);
  frame.writeUInt16BE(width, 8);
  const app = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 8, 0xff, 0xc0, 0, 11, 8, 0]);
  return Buffer.concat([app, frame, Buffer.alloc(32)]);
}

export function webpOf(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WEBP", 8, "latin1");
  bytes.write(kind, 12, "latin1");
  if (kind === "VP8 ") {
    bytes.writeUIntBE(0x9d012a, 23, 3);
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === "VP8L") {
    bytes.writeUInt8(0x2f, 20);
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
