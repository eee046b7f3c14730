import { ImportError } from "./import-error.ts";
import type { Mapping } from "./mapping.ts";

type Encoding = NonNullable<Mapping["encoding"]>;

/** Labels of `TextDecoder`; its EUC-KR is CP949, according to the WHATWG. */
const LABELS: Readonly<Record<Encoding, string>> = {
  "utf-8": "utf-8",
  cp949: "euc-kr",
  "utf-16le": "utf-16le",
};

const HINTS: Readonly<Record<Encoding, string>> = {
  "utf-8": ' Save it as UTF-8, or say "encoding": "cp949" in the mapping if it comes from a Korean Excel.',
  cp949: "",
  "utf-16le": "",
};

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/**
 * Decode bytes, without a byte order mark.
 *
 * @throws ImportError naming the line where the bytes have another encoding, or are not text
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(LABELS[encoding], { fatal: true });
  let line = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      const [before = ""] = new TextDecoder(LABELS[encoding]).decode(chunk).split("�", 1);
      const where = `Line ${line + countLines(before)}`;
      throw new ImportError("file", `${where} is not ${encoding.toUpperCase()}.${HINTS[encoding]}`);
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    const nul = text.indexOf("\0");
    if (nul >= 0) {
      const where = line + countLines(text.slice(0, nul));
      throw new ImportError("file", `Line ${where} contains a zero byte: it is not a text file.`);
    }
    line += countLines(text);
    yield text;
  }
  const rest = decode();
  if (rest) yield rest;
}
