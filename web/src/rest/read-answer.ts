import { mend } from "@mulkko/shared/schema/mend";
import type { Static, TSchema } from "typebox";
import { BadAnswerError } from "./errors.ts";

/**
 * Parse an answer by its schema; one odd field loses neither its row nor the list (ROW-1).
 *
 * @throws BadAnswerError if it does not match, or if no row of a list is readable
 */
export function readAnswer<S extends TSchema>(schema: S, value: unknown, path: string): Static<S> {
  const read = mend(schema, value);
  if (!read.ok) throw new BadAnswerError(`${path}${read.path}: ${read.message}`);
  const answer: unknown = read.value;
  const hasNoRow = Array.isArray(value) && value.length > 0 && Array.isArray(answer) && answer.length === 0;
  if (hasNoRow) throw new BadAnswerError(`${path}: none of ${value.length} rows is as agreed`);
  return read.value;
}
