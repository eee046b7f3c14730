import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";

const Vector = Type.Object({
  id: Type.String(),
  vendor: Type.String(),
  device: Type.String(),
  fPort: Type.Union([Type.Integer(), Type.Null()]),
  data_base64: Type.String(),
  expected: Type.Object({ data: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
});

/** One uplink of a real device and its decoding by the public codec. */
export interface Vector {
  readonly id: string;
  readonly device: string;
  readonly fPort: number | null;
  readonly data: string;
  /** Undefined where the codec reports an error. */
  readonly decoded: Readonly<Record<string, unknown>> | undefined;
}

/** Read all vectors; SOURCE-vectors.txt names their origin. */
export function readVectors(): Vector[] {
  const text = readFileSync(join(import.meta.dirname, "vectors.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const parsed = parseJson(Vector, line);
      if (!parsed.ok) throw new Error(`${parsed.path} ${parsed.message}: ${line.slice(0, 80)}`);
      const { id, device, fPort, data_base64, expected } = parsed.value;
      return { id, device, fPort, data: data_base64, decoded: expected.data };
    });
}
