import { globSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { faultOf, matches } from "./light-check.ts";
import { faultOf as faultOfTypeBox, matches as matchesTypeBox } from "./typebox-check.ts";

const SRC = resolve(import.meta.dirname, "..");
const RUNS = 40;

const isSchema = (value: unknown): value is TSchema & Record<string, unknown> =>
  typeof value === "object" && value !== null && ("type" in value || "anyOf" in value || "allOf" in value);

/** Return every schema that the contract exports, by its name. */
async function contractSchemas(): Promise<[string, TSchema & Record<string, unknown>][]> {
  const files = globSync("{entities,live,mqtt,rest,rules,schema}/*.ts", { cwd: SRC }).filter(
    (file) => !file.includes(".test."),
  );
  const modules = await Promise.all(
    files.map(async (file) => [file, await import(resolve(SRC, file))] as const),
  );
  return modules.flatMap(([file, module]: readonly [string, Record<string, unknown>]) =>
    Object.entries(module).flatMap(([name, value]): [string, TSchema & Record<string, unknown>][] =>
      isSchema(value) ? [[`${file} ${name}`, value]] : [],
    ),
  );
}

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("", "a", "😀", "가나다", "2026-11-21T03:00:00Z", "06:00", 0, -1, 1.5, 7, true, null),
);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Generate values that mostly meet a schema, and sometimes miss it in one place. */
function valuesOf(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  const often = (meant: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 12, arbitrary: meant }, { weight: 1, arbitrary: strange });
  if ("const" in schema) return often(fc.constant(schema.const));
  if (schema.enum) return often(fc.constantFrom(...list(schema.enum)));
  if (schema.anyOf) return often(fc.oneof(...list(schema.anyOf).map((each) => valuesOf(record(each)))));
  if (schema.allOf) {
    return fc
      .tuple(...list(schema.allOf).map((each) => valuesOf(record(each))))
      .map((parts) => Object.assign({}, ...parts.map(record)));
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object": {
      const required = new Set(list(schema.required));
      const named = Object.entries(record(schema.properties)).map(
        ([name, each]) =>
          [
            name,
            fc.option(valuesOf(record(each)), { freq: required.has(name) ? 30 : 2, nil: undefined }),
          ] as const,
      );
      const others = Object.values(record(schema.patternProperties)).map((each) =>
        fc.dictionary(fc.string({ maxLength: 4 }), valuesOf(record(each)), { maxKeys: 4 }),
      );
      const whole = fc
        .tuple(
          fc.record(Object.fromEntries(named)),
          fc.tuple(...others),
          fc.option(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 1 }), { freq: 4 }),
        )
        .map(([fields, more, unknown]) =>
          JSON.parse(JSON.stringify(Object.assign({}, ...more, fields, unknown ?? {}))),
        );
      return often(whole);
    }
    case "array":
      return often(fc.array(valuesOf(record(schema.items)), { maxLength: 4 }));
    case "integer":
      return often(fc.oneof(fc.integer({ min: -2, max: 10 }), fc.integer()));
    case "number":
      return often(fc.oneof(fc.double({ min: -200, max: 200, noNaN: true }), fc.integer()));
    case "boolean":
      return often(fc.boolean());
    default:
      return fc.oneof({ weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 70 }) }, strange);
  }
}

const EDGES: [TSchema, unknown[]][] = [
  [Type.String({ maxLength: 2 }), ["😀😀", "😀😀😀", "e\u0301e\u0301", "👨‍👩‍👧👨‍👩‍👧"]],
  [Type.String({ minLength: 2 }), ["😀", "a", "ab", "e\u0301"]],
  [Type.Integer({ minimum: 1, maximum: 8 }), [0, 1, 8, 9, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1"]],
  [Type.Number(), [Number.NaN, Number.NEGATIVE_INFINITY, -0, 1e308]],
  [Type.Object({ a: Type.Optional(Type.String()) }), [{ a: undefined }, { a: null }, {}, [], null]],
  [Type.Object({}, { additionalProperties: false }), [{}, { a: 1 }, { toString: 1 }]],
  [
    Type.Record(Type.String(), Type.Number(), { minProperties: 1, maxProperties: 2 }),
    [{}, { a: 1 }, { "\n": "x" }, { a: 1, b: 2, c: 3 }],
  ],
  [Type.Array(Type.Null(), { minItems: 1, maxItems: 2 }), [[], [null], [null, null, null], { 0: null }]],
  [Type.String({ pattern: "^\\p{L}+$" }), ["가나", "a1", ""]],
];

describe("[light-check]", () => {
  let schemas: [string, TSchema & Record<string, unknown>][];
  beforeAll(async () => {
    schemas = await contractSchemas();
  });

  it("[light-check] accepts and refuses as TypeBox does, for every schema of the contract", () => {
    expect(schemas.length).toBeGreaterThan(100);
    const verdicts = { taken: 0, refused: 0 };
    for (const [name, schema] of schemas) {
      fc.assert(
        fc.property(valuesOf(schema), (value) => {
          const said = matchesTypeBox(schema, value);
          verdicts[said ? "taken" : "refused"] += 1;
          return matches(schema, value) === said;
        }),
        { numRuns: RUNS, seed: 7, verbose: 0 },
      );
      expect(matches(schema, undefined), name).toBe(matchesTypeBox(schema, undefined));
    }
    // Proves that the sample has both outcomes: a constant check would also agree.
    expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(schemas.length * RUNS * 0.1);
  });

  it.each(EDGES)("[light-check] agrees with TypeBox at the edges of %o", (schema, values) => {
    for (const value of values)
      expect([value, matches(schema, value)]).toEqual([value, matchesTypeBox(schema, value)]);
  });

  it("[light-check] names the same place as TypeBox does", () => {
    const schema = Type.Object({ farms: Type.Array(Type.Object({ name: Type.String() })) });
    const value = { farms: [{ name: "a" }, { name: 3 }] };
    expect(faultOf(schema, value).path).toBe("/farms/1/name");
    expect(faultOfTypeBox(schema, value).path).toBe("/farms/1/name");
  });

  it("[light-check] refuses a schema with unsupported keywords", () => {
    expect(() => matches(Type.String({ format: "email" }), "x")).toThrow("format");
    expect(() => matches(Type.Unsafe({ type: "bigint" }), 1)).toThrow("bigint");
  });
});
