import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { qrPath } from "./PairingScreen.tsx";

const ADDRESS = "https://farm.example/displays?code=BCDFGHJK";

describe("drawn QR code", () => {
  it("[wall] fills exactly the dark modules of the code", () => {
    const { size, path } = qrPath(ADDRESS);
    const dark = new Set<string>();
    for (const [, x = "", y = "", length = ""] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let step = 0; step < Number(length); step += 1) dark.add(`${Number(x) + step} ${y}`);
    }
    const { data } = encode(ADDRESS, { ecc: "M", border: 4 });
    const wanted = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
    expect([...dark].sort()).toEqual(wanted.sort());
    expect(size).toBe(data.length);
  });
});
