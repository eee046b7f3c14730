import type { Static, TSchema } from "typebox";
import { Check, Errors } from "typebox/value";

/** Place at which a value does not meet its schema: the JSON pointer, and the error. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Return true if a value meets a schema. Interprets the schema, and so needs no `unsafe-eval`. */
export function matches<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/** Return the first place at which a value does not meet its schema. */
export function faultOf(schema: TSchema, value: unknown): Fault {
  const [first] = Errors(schema, value);
  return { path: first?.instancePath ?? "", message: first?.message ?? "does not match its schema" };
}
