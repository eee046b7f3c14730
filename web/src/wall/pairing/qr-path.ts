import { encode } from "uqr";

/** Quiet zone around a code, modules: lets a camera find its edge. */
const QUIET = 4;

/** Return a QR code as one SVG path of unit squares; `size` is the side of its view box. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  let path = "";
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      let end = x + 1;
      while (row[end]) end += 1;
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
      x = end;
    }
  });
  return { size, path };
}
