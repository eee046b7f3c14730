import { useTranslation } from "react-i18next";
import { ApiError, errorCode, isUnknownOutcome } from "../../api/errors.ts";
import { useLabels } from "../../i18n/labels.ts";
import { NotDone } from "./saving.ts";

/**
 * Reasons why a form was not saved: texts per field and for the whole form. Several texts are separated by
 * line breaks.
 */
export interface Refusal {
  readonly fields: Readonly<Record<string, string>>;
  readonly failure: string | null;
}

/** Translated texts of a refusal. */
export interface RefusalTexts {
  /** Return the meaning of an error code. */
  error(code: string): string;
  /** Return the server's text for its field. `own`: from our own server, in English. */
  refused(field: string, sentence: string, own: boolean): string;
  /** Return the text for a field that the form lacks; empty if the general text is enough. */
  other(field: string, sentence: string, own: boolean): string;
  /** Quote a farm API without error codes, in any language. */
  said(sentence: string): string;
  /** Return the waiting time as text. */
  wait(seconds: number): string;
  /** Text for an unsupported image type. */
  wrongPicture: string;
  /** Text for an existing value, shown at the field that must change. */
  taken: { readonly field: string; readonly sentence: string } | null;
}

/** A failure that a form's own `submit` describes itself, optionally at a field. */
export class FormFailure extends Error {
  override readonly name = "FormFailure";
  readonly fields: Readonly<Record<string, string>>;

  constructor(sentence: string, fields: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.fields = fields;
  }
}

/** Error code: a deleted, restorable object uses the value. */
const IN_TRASH = "in-trash";
/** Error code: a 409 that says nothing about a value. */
const DEVICE_LIMIT = "device-limit";
const UNSUPPORTED_TYPE = 415;
const TOO_OFTEN = 429;

/**
 * Convert a value thrown by `submit` to texts. `fieldOf` maps a server's field to the form's own; null for
 * none.
 */
export function refusalOf(
  error: unknown,
  fieldOf: (name: string) => string | null,
  texts: RefusalTexts,
): Refusal {
  if (error instanceof FormFailure) return { fields: error.fields, failure: error.message };
  const code = errorCode(error);
  if (!(error instanceof ApiError)) return { fields: {}, failure: texts.error(code) };
  if (error.status === UNSUPPORTED_TYPE) return { fields: {}, failure: texts.wrongPicture };
  const { taken } = error.status === 409 && code !== DEVICE_LIMIT ? texts : { taken: null };
  // Quote a foreign server's conflict: "the name is taken" would be a guess.
  if (taken && error.fields.length === 0 && error.said === null)
    return { fields: { [taken.field]: taken.sentence }, failure: null };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { field: named, defaultMessage } of error.fields) {
    const field = fieldOf(named);
    if (field === null) others.push(texts.other(named, defaultMessage, error.own));
    else if (error.code === IN_TRASH) fields[field] = texts.error(IN_TRASH);
    else if (field === taken?.field && error.own) fields[field] = taken.sentence;
    else {
      const before = fields[field];
      const sentence = texts.refused(named, defaultMessage, error.own);
      // Show the general text once for several errors of our own server.
      fields[field] = before === undefined || before === sentence ? sentence : `${before}\n${sentence}`;
    }
  }
  if (Object.keys(fields).length > 0 && others.length === 0) return { fields, failure: null };
  const wait = error.retryAfterSeconds;
  const details = others.filter(Boolean);
  const sentences = error.own
    ? [texts.error(code), ...details]
    : [saidOf(error, details, texts) ?? texts.error(code)];
  // For too many attempts the waiting time is enough.
  if (wait && error.status === TOO_OFTEN) sentences.length = 0;
  if (wait) sentences.push(texts.wait(wait));
  return { fields, failure: sentences.join("\n") };
}

/** Return the text of a farm API without codes about the whole request; null if it repeats the status. */
function saidOf(error: ApiError, details: readonly string[], texts: RefusalTexts): string | null {
  const said = error.said ?? details.join("\n");
  return said === "" ? null : texts.said(said);
}

/** Translations of a form's refusals. */
export interface RefusalOptions<Field extends string> {
  /** Field of a 409 conflict ("already exists"). */
  readonly conflictField?: Field;
  /** Text for that conflict; a general text if omitted. */
  readonly conflictTexts?: string;
  /**
   * Return our own text for the server's error at a field. Without one, a foreign server is quoted. Our own
   * server's English text is quoted only to users of English.
   */
  readonly serverTexts?: (field: string, sentence: string) => string | undefined;
  /** Map the server's field names to the form's own if they differ. */
  readonly serverFields?: Readonly<Record<string, Field>>;
  /**
   * Failed action, such as "The farm could not be added.", before the cause of a refusal; by default "Nothing
   * was saved."
   */
  readonly failed?: string;
}

/**
 * Return {@link refusalOf} for a form with these fields, in the user's language. Here alone is decided what a
 * form says about its content (FORM-1): nothing was saved where the server refused it; nothing about it where
 * that is not known, or where the form's own words say what was saved.
 */
export function useRefusal<Field extends string>(options: RefusalOptions<Field>) {
  const { conflictField, conflictTexts, serverTexts, serverFields, failed } = options;
  const { t, i18n } = useTranslation("common");
  const labels = useLabels();
  const isForeignTongue = (own: boolean) => own && i18n.language !== "en";
  const texts: RefusalTexts = {
    error: labels.error,
    refused: (field, sentence, own) =>
      serverTexts?.(field, sentence) ??
      (isForeignTongue(own) ? t("form.invalid") : t("form.refused", { sentence })),
    other: (field, sentence, own) =>
      own ? (serverTexts?.(field, sentence) ?? (isForeignTongue(own) ? "" : sentence)) : sentence,
    said: (sentence) => t("form.refused", { sentence }),
    wait: (seconds) => t("form.wait", { count: seconds }),
    wrongPicture: t("form.image.wrongKind"),
    taken:
      conflictField === undefined
        ? null
        : { field: conflictField, sentence: conflictTexts ?? labels.error("conflict") },
  };
  return (thrown: unknown, fields: object): Refusal => {
    const error = thrown instanceof NotDone ? thrown.cause : thrown;
    const fieldOf = (name: string) => serverFields?.[name] ?? (name in fields ? name : null);
    const refusal = refusalOf(error, fieldOf, texts);
    const { failure } = refusal;
    if (failure === null || error instanceof FormFailure || isUnknownOutcome(thrown)) return refusal;
    return { ...refusal, failure: `${failed ?? t("form.notSaved")} ${failure}` };
  };
}
