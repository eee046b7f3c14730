import fc from "fast-check";
import { expect, test } from "vitest";
import { jpegOf, pngOf, webpOf } from "../../testing/image-bytes.ts";
import { isReasonable, MAX_SIDE, readImageHead } from "./format.ts";

const REAL_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("[image] reads format and size from the first bytes", () => {
  expect(readImageHead(REAL_PNG)).toEqual({ format: "png", width: 1, height: 1 });
  expect(readImageHead(pngOf(640, 480))).toEqual({ format: "png", width: 640, height: 480 });
  expect(readImageHead(jpegOf(4_000, 3_000))).toEqual({ format: "jpeg", width: 4_000, height: 3_000 });
  for (const kind of ["VP8 ", "VP8L", "VP8X"] as const) {
    expect(readImageHead(webpOf(kind, 800, 600))).toEqual({ format: "webp", width: 800, height: 600 });
  }
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".repeat(2))],
  ["a GIF", Buffer.from(`GIF89a${"\0".repeat(64)}`, "latin1")],
  ["a PNG without its head", Buffer.from("\x89PNG\r\n\x1a\n".padEnd(64, "\0"), "latin1")],
  ["a JPEG that ends before its frame", Buffer.from([0xff, 0xd8, 0xff, 0xd9, ...Array(64).fill(0)])],
  [
    "a JPEG whose segment goes past its end",
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0, 0, 0, 0, 0]),
  ],
  ["a JPEG of fill bytes", Buffer.from([0xff, 0xd8, ...Array(64).fill(0xff)])],
  ["a sound in RIFF", Buffer.from(`RIFF0000WAVEfmt ${"\0".repeat(64)}`, "latin1")],
])("[image] %s is no picture", (_case, bytes) => expect(readImageHead(bytes)).toBeNull());

test("[image] reads any bytes after any beginning without a fault", () => {
  const starts = [
    pngOf(1, 1),
    jpegOf(1, 1),
    webpOf("VP8 ", 1, 1),
    webpOf("VP8L", 1, 1),
    webpOf("VP8X", 1, 1),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.nat(64),
      fc.uint8Array({ maxLength: 80 }),
      (start, cut, rest) => {
        const head = readImageHead(Buffer.concat([start.subarray(0, cut), rest]));
        return head === null || head.width >= 0;
      },
    ),
  );
});

test("[image] accepts photos of phones and refuses decompression bombs", () => {
  const size = (width: number, height: number) => isReasonable({ format: "png", width, height });
  expect([size(8_160, 6_144), size(1, 1), size(MAX_SIDE, 100)]).toEqual([true, true, true]);
  expect([size(0, 5), size(5, 0), size(MAX_SIDE + 1, 1), size(16_000, 16_000)].some(Boolean)).toBe(false);
  expect(size(4_294_967_295, 4_294_967_295)).toBe(false);
});
