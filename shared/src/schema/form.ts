import { Type } from "typebox";

// One schema with two types, not a union of two: a validator that coerces forms would turn a 0 into null.

/** A number that a form may leave empty; empty is null. */
export const FormNumber = Type.Unsafe<number | null>({ type: ["number", "null"] });

/** Range of 32 bits, as columns of whole numbers hold. */
const INT_LIMIT = 2_147_483_647;

/** A whole number that a form may leave empty; empty is null. */
export const FormInteger = Type.Unsafe<number | null>({
  type: ["integer", "null"],
  minimum: -INT_LIMIT,
  maximum: INT_LIMIT,
});

/** A text that a form or JSON may leave empty; empty is null. */
export const formText = (maxLength: number) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], maxLength });
