import { ApiError, errorCode } from "../../rest/errors.ts";

/** Why a form was not saved: sentences for its fields, and for what belongs to none; several stand on a line each. */
export interface Refusal {
  readonly fields: Readonly<Record<string, string>>;
  readonly failure: string | null;
}

/** The words that a refusal is told in. */
export interface RefusalWords {
  /** What an error code means. */
  error(code: string): string;
  /** The server's sentence at the field that it is about; `own`: one of ours, which is English. */
  refused(field: string, sentence: string, own: boolean): string;
  /** The same of something that the form has no field for; nothing where the general sentence has to do. */
  other(field: string, sentence: string, own: boolean): string;
  /** The sentence of a farm API that has no codes, in whatever language. */
  said(sentence: string): string;
  /** How long to wait. */
  wait(seconds: number): string;
  /** A picture of a kind that nobody can show. */
  wrongPicture: string;
  /** What is to be said where there is one already; at the field that must be another. */
  taken: { readonly field: string; readonly sentence: string } | null;
}

/** Something that a form's own `submit` says in words of its own; of a field, there. */
export class FormFailure extends Error {
  override readonly name = "FormFailure";
  readonly fields: Readonly<Record<string, string>>;

  constructor(sentence: string, fields: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.fields = fields;
  }
}

/** It is taken by something that was deleted, and can be restored. */
const IN_TRASH = "in-trash";
const UNSUPPORTED_TYPE = 415;
const TOO_OFTEN = 429;

/** Whatever `submit` threw, as sentences. `fieldOf` gives the form's own name of a server's field; null for none. */
export function refusalOf(
  error: unknown,
  fieldOf: (name: string) => string | null,
  words: RefusalWords,
): Refusal {
  if (error instanceof FormFailure) return { fields: error.fields, failure: error.message };
  const code = errorCode(error);
  if (!(error instanceof ApiError)) return { fields: {}, failure: words.error(code) };
  if (error.status === UNSUPPORTED_TYPE) return { fields: {}, failure: words.wrongPicture };
  const { taken } = error.status === 409 ? words : { taken: null };
  // What a foreign server says of a conflict is quoted: that the name is taken would be a guess.
  if (taken && error.fields.length === 0 && error.said === null)
    return { fields: { [taken.field]: taken.sentence }, failure: null };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { field: named, defaultMessage } of error.fields) {
    const field = fieldOf(named);
    if (field === null) others.push(words.other(named, defaultMessage, error.own));
    else if (error.code === IN_TRASH) fields[field] = words.error(IN_TRASH);
    else if (field === taken?.field && error.own) fields[field] = taken.sentence;
    else {
      const before = fields[field];
      const sentence = words.refused(named, defaultMessage, error.own);
      // Of several faults of ours the general sentence is said once.
      fields[field] = before === undefined || before === sentence ? sentence : `${before}\n${sentence}`;
    }
  }
  if (Object.keys(fields).length > 0 && others.length === 0) return { fields, failure: null };
  const wait = error.retryAfterSeconds;
  const told = others.filter(Boolean);
  const sentences = error.own
    ? [words.error(code), ...told]
    : [saidOf(error, told, words) ?? words.error(code)];
  // How long is all there is to say of too often.
  if (wait && error.status === TOO_OFTEN) sentences.length = 0;
  if (wait) sentences.push(words.wait(wait));
  return { fields, failure: sentences.join("\n") };
}

/** What a farm API without codes says of the whole; null where it says no more than its status. */
function saidOf(error: ApiError, told: readonly string[], words: RefusalWords): string | null {
  const said = error.said ?? told.join("\n");
  return said === "" ? null : words.said(said);
}
