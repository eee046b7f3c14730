import type { Static, TSchema } from "typebox";
import { Guard } from "typebox/guard";
import type { Fault } from "./typebox-check.ts";

/** One schema, parsed once. */
interface LightCheck {
  test(value: unknown): boolean;
  /** JSON pointer of the first place that does not fit; "" for a value that fits. */
  where(value: unknown): string;
}

/** The keywords of JSON Schema that the contract's schemas use. */
interface Keywords {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Keywords[];
  allOf?: readonly Keywords[];
  properties?: Readonly<Record<string, Keywords>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Keywords>>;
  additionalProperties?: boolean;
  minProperties?: number;
  maxProperties?: number;
  items?: Keywords;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

const CHECKED = new Set(
  (
    "type const enum anyOf allOf properties required patternProperties additionalProperties minProperties maxProperties " +
    "items minItems maxItems minLength maxLength pattern minimum maximum"
  ).split(" "),
);

/** Keywords that only inform people. */
const NOTES = new Set(["title", "description", "default", "examples"]);

type Test = (value: unknown) => boolean;
type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const TYPES: Readonly<Record<string, Test>> = {
  object: isObject,
  array: isList,
  string: (value) => typeof value === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function typeTest(name: string): Test {
  const test = TYPES[name];
  if (!test) throw new Error(`no value is checked for the type ${name}`);
  return test;
}

/** Checks for values of one type; other types pass. */
const ofText =
  (test: (value: string) => boolean): Test =>
  (value) =>
    typeof value !== "string" || test(value);
const ofNumber =
  (test: (value: number) => boolean): Test =>
  (value) =>
    typeof value !== "number" || test(value);
const ofList =
  (test: (value: readonly unknown[]) => boolean): Test =>
  (value) =>
    !isList(value) || test(value);
const ofObject =
  (test: (value: JsonObject) => boolean): Test =>
  (value) =>
    !isObject(value) || test(value);

/** Parts of an object or a list that have a schema of their own. */
type Parts = (value: unknown) => Iterable<readonly [name: string, part: unknown, check: LightCheck]>;

function partsOf(schema: Keywords): Parts {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, compile(each)] as const,
  );
  const required = new Set(schema.required);
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([pattern, each]) => [new RegExp(pattern, "u"), compile(each)] as const,
  );
  const items = schema.items && compile(schema.items);
  return function* (value) {
    if (isList(value)) {
      if (items) for (const [index, item] of value.entries()) yield [`${index}`, item, items];
      return;
    }
    if (!isObject(value)) return;
    for (const [name, check] of properties) {
      if (!(name in value) || (value[name] === undefined && !required.has(name))) continue;
      yield [name, value[name], check];
    }
    for (const [pattern, check] of patterns) {
      for (const [name, part] of Object.entries(value)) if (pattern.test(name)) yield [name, part, check];
    }
  };
}

/** Return the checks of a value as a whole. */
function testsOf(schema: Keywords): Test[] {
  const tests: Test[] = [];
  const { type, anyOf, allOf, required, pattern, properties, patternProperties } = schema;
  if (typeof type === "string") tests.push(typeTest(type));
  else if (type) {
    const types = type.map(typeTest);
    tests.push((value) => types.some((test) => test(value)));
  }
  if ("const" in schema) tests.push((value) => value === schema.const);
  if (schema.enum) tests.push((value) => schema.enum?.includes(value) === true);
  if (anyOf) {
    const checks = anyOf.map(compile);
    tests.push((value) => checks.some((check) => check.test(value)));
  }
  for (const each of allOf ?? []) tests.push(compile(each).test);
  if (required) tests.push(ofObject((value) => required.every((name) => name in value)));
  if (schema.additionalProperties === false) {
    const patterns = Object.keys(patternProperties ?? {}).map((each) => new RegExp(each, "u"));
    const isNamed = (name: string) =>
      Object.hasOwn(properties ?? {}, name) || patterns.some((each) => each.test(name));
    tests.push(ofObject((value) => Object.keys(value).every(isNamed)));
  }
  const {
    minProperties = 0,
    maxProperties,
    minItems = 0,
    maxItems,
    minLength,
    maxLength,
    minimum,
    maximum,
  } = schema;
  if (minProperties > 0) tests.push(ofObject((value) => Object.keys(value).length >= minProperties));
  if (maxProperties !== undefined)
    tests.push(ofObject((value) => Object.keys(value).length <= maxProperties));
  if (minItems > 0) tests.push(ofList((value) => value.length >= minItems));
  if (maxItems !== undefined) tests.push(ofList((value) => value.length <= maxItems));
  if (minLength !== undefined) tests.push(ofText((value) => Guard.IsMinLength(value, minLength)));
  if (maxLength !== undefined) tests.push(ofText((value) => Guard.IsMaxLength(value, maxLength)));
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, "u");
    tests.push(ofText((value) => expression.test(value)));
  }
  if (minimum !== undefined) tests.push(ofNumber((value) => value >= minimum));
  if (maximum !== undefined) tests.push(ofNumber((value) => value <= maximum));
  return tests;
}

function compile(schema: Keywords): LightCheck {
  for (const keyword of Object.keys(schema)) {
    if (!CHECKED.has(keyword) && !NOTES.has(keyword)) throw new Error(`nothing here checks ${keyword}`);
  }
  const tests = testsOf(schema);
  const parts = partsOf(schema);
  return {
    test(value) {
      for (const test of tests) if (!test(value)) return false;
      for (const [, part, check] of parts(value)) if (!check.test(part)) return false;
      return true;
    },
    where(value) {
      for (const [name, part, check] of parts(value)) {
        if (!check.test(part)) return `/${name}${check.where(part)}`;
      }
      return "";
    },
  };
}

const made = new WeakMap<TSchema, LightCheck>();

function checkOf(schema: TSchema): LightCheck {
  const known = made.get(schema);
  if (known) return known;
  const fresh = compile(schema);
  made.set(schema, fresh);
  return fresh;
}

/**
 * Return true if a value meets a schema, with TypeBox's result, for the keywords that the contract uses. It
 * has a tenth of TypeBox's size, which matters for a browser's first load. A browser uses it in place of
 * `typebox-check.ts` (the condition `browser` of this package's imports). Needs no `unsafe-eval`.
 *
 * @throws Error for a schema with a keyword that is not checked here
 */
export function matches<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return checkOf(schema).test(value);
}

/** Return the first place at which a value does not meet its schema. */
export function faultOf(schema: TSchema, value: unknown): Fault {
  return { path: checkOf(schema).where(value), message: "does not match its schema" };
}
