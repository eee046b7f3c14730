import { ApiError, errorCode } from "../../rest/errors.ts";

/** Why a form was not saved: sentences for its fields, and one for what belongs to none. */
export interface Refusal {
  readonly fields: Readonly<Record<string, string>>;
  readonly failure: string | null;
}

/** The words that a refusal is told in. */
export interface RefusalWords {
  /** What an error code means. */
  error(code: string): string;
  /** The server's own sentence, which is English, at the field that it is about. */
  refused(field: string, sentence: string): string;
  /** The sentence of a farm API that has no codes, in whatever language. */
  said(sentence: string): string;
  /** How long to wait. */
  wait(seconds: number): string;
  /** A picture of a kind that nobody can show. */
  wrongPicture: string;
  /** What is to be said where there is one already; at the field that must be another. */
  taken: { readonly field: string; readonly sentence: string } | null;
}

/** Something that a form's own `submit` says in words of its own. */
export class FormFailure extends Error {
  override readonly name = "FormFailure";
}

const UNSUPPORTED_TYPE = 415;

/** Whatever `submit` threw, as sentences. `isField` knows the form's own fields. */
export function refusalOf(error: unknown, isField: (name: string) => boolean, words: RefusalWords): Refusal {
  if (error instanceof FormFailure) return { fields: {}, failure: error.message };
  const code = errorCode(error);
  if (!(error instanceof ApiError)) return { fields: {}, failure: words.error(code) };
  if (error.status === UNSUPPORTED_TYPE) return { fields: {}, failure: words.wrongPicture };
  const { taken } = error.status === 409 ? words : { taken: null };
  if (taken && error.fields.length === 0) return { fields: { [taken.field]: taken.sentence }, failure: null };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { field, defaultMessage } of error.fields) {
    if (field === taken?.field) fields[field] = taken.sentence;
    else if (isField(field)) {
      const before = fields[field];
      const sentence = words.refused(field, defaultMessage);
      fields[field] = before === undefined ? sentence : `${before} ${sentence}`;
    } else others.push(defaultMessage);
  }
  if (Object.keys(fields).length > 0 && others.length === 0) return { fields, failure: null };
  const wait = error.retryAfterSeconds;
  const reason = error.said === null ? words.error(code) : words.said(error.said);
  const sentences = [reason, ...others, ...(wait ? [words.wait(wait)] : [])];
  return { fields, failure: sentences.join(" ") };
}
