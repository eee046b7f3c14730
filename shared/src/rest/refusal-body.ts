import { type Static, Type } from "typebox";
import { parse, parseJson } from "../schema/parse.ts";
import { ERROR_CODES, type ErrorBody } from "./errors.ts";

/** Content of an error answer, from any server. */
export interface RefusalBody extends Pick<ErrorBody, "message"> {
  /** A code that the client can translate, where the body or the status gives one. */
  readonly code: string;
  readonly errors: NonNullable<ErrorBody["errors"]>;
  /** True if the server sent the code; false if it is derived from the status. */
  readonly own: boolean;
}

/** Any part of a foreign farm API's error may be missing or malformed: each is read by itself. */
const AnyBody = Type.Object({
  code: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  errors: Type.Optional(Type.Unknown()),
});
const AnyList = Type.Array(Type.Unknown());
const Sentence = Type.String({ minLength: 1 });
/** A fault as Spring writes it; a fault without a field names none. */
const AnyFault = Type.Object({ field: Type.Optional(Type.Unknown()), defaultMessage: Sentence });

/** Maximum length of a foreign sentence on the screen: some servers send a whole stack trace. */
const SENTENCE_SHOWN = 300;

const MEANINGS: Readonly<Record<number, (typeof ERROR_CODES)[number]>> = {
  400: "malformed",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  410: "not-found",
  413: "too-large",
  422: "validation",
  429: "too-many-requests",
};

/** Return the code of a status without a code of its own; a status without a translation gives its number. */
export const codeOfStatus = (status: number): string =>
  MEANINGS[status] ?? (status >= 500 ? "internal" : `http-${status}`);

const sentenceOf = (value: unknown): string => {
  const sentence = parse(Sentence, value);
  return sentence.ok ? sentence.value.trim().slice(0, SENTENCE_SHOWN) : "";
};

/** Return an error body as an object; a body that is a list is the list of its faults. */
function bodyOf(text: string): Static<typeof AnyBody> {
  const list = parseJson(AnyList, text);
  if (list.ok) return { errors: list.value };
  const body = parseJson(AnyBody, text);
  return body.ok ? body.value : {};
}

/** Read an error answer's body, which may be of another product, or empty. */
export function readRefusal(status: number, text: string): RefusalBody {
  const body = bodyOf(text);
  const faults = parse(AnyList, body.errors);
  const errors = (faults.ok ? faults.value : []).flatMap((each) => {
    const fault = parse(AnyFault, each);
    if (!fault.ok) return [];
    return [{ field: sentenceOf(fault.value.field), defaultMessage: sentenceOf(fault.value.defaultMessage) }];
  });
  const own = ERROR_CODES.find((code) => code === body.code);
  return {
    code: own ?? codeOfStatus(status),
    message: sentenceOf(body.message),
    errors,
    own: own !== undefined,
  };
}

/** Statuses with a sentence of ours, whatever a foreign server adds. */
const hasSentence = (status: number): boolean => [401, 404, 429].includes(status) || status >= 500;

type Said = Pick<RefusalBody, "message" | "errors" | "own">;

/** Return a foreign server's own sentence, where it adds to the status; else null. */
export const saidIn = (status: number, { own, message, errors }: Said): string | null =>
  own || message === "" || errors.length > 0 || hasSentence(status) ? null : message;

/** Return the same for a place without a form: the faults of the fields are then the sentence. */
export function saidInAll(status: number, body: Said): string | null {
  if (body.own || hasSentence(status) || body.errors.length === 0) return saidIn(status, body);
  const faults = body.errors.map(({ defaultMessage }) => defaultMessage);
  return [...new Set(faults)].join(" ").slice(0, SENTENCE_SHOWN);
}

const CODE = /^[a-z0-9-]*$/;

/**
 * Reason of a refusal as one text for records and events: a code that the client can translate, or the
 * sentence of a farm API without codes.
 */
export const isSentence = (reason: string): boolean => !CODE.test(reason);
