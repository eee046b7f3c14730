import type { Static, TSchema } from "typebox";
import { Check, Errors } from "typebox/schema";

/** Place at which a value does not meet its schema: the JSON pointer, and the error. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** A value that met its schema, or the place and reason where it did not. */
export type Parsed<T> = { ok: true; value: T } | ({ ok: false } & Fault);

/**
 * Return true if a value meets a schema. Interprets the schema, so that it also works under a content
 * security policy without `unsafe-eval`.
 */
export function matches<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/** Return the first place at which a value does not meet its schema. */
export function faultOf(schema: TSchema, value: unknown): Fault {
  const [, [first]] = Errors(schema, value);
  return { path: first?.instancePath ?? "", message: first?.message ?? "does not match its schema" };
}

/**
 * Check foreign data against a schema at the edge of a package.
 *
 * @returns the same value, typed; or the JSON pointer and message of the first error
 */
export function parse<S extends TSchema>(schema: S, value: unknown): Parsed<Static<S>> {
  return matches(schema, value) ? { ok: true, value } : { ok: false, ...faultOf(schema, value) };
}

/** Parse JSON text like {@link parse}; text that is no JSON fails with the path "". */
export function parseJson<S extends TSchema>(schema: S, text: string): Parsed<Static<S>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, path: "", message: "is not JSON" };
  }
  return parse(schema, value);
}
