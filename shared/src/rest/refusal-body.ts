import { type Static, Type } from "typebox";
import { parse, parseJson } from "../schema/parse.ts";
import { ERROR_CODES, type ErrorBody } from "./errors.ts";

/** What an error answer says, whoever wrote it. */
export interface RefusalBody extends Pick<ErrorBody, "message"> {
  /** One that the client has words for, where the body or the status gives any. */
  readonly code: string;
  readonly errors: NonNullable<ErrorBody["errors"]>;
  /** The code is the server's own word; without it, it is what the status means. */
  readonly own: boolean;
}

/** Of a farm API that is not ours any part may be missing or be something else: each is read by itself. */
const AnyBody = Type.Object({
  code: Type.Optional(Type.Unknown()),
  message: Type.Optional(Type.Unknown()),
  errors: Type.Optional(Type.Unknown()),
});
const AnyList = Type.Array(Type.Unknown());
const Sentence = Type.String({ minLength: 1 });
/** A fault as Spring writes it; one that is about no field names none. */
const AnyFault = Type.Object({ field: Type.Optional(Type.Unknown()), defaultMessage: Sentence });

/** Of a foreign sentence this much is shown: some servers put a whole trace there. */
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

/** What a status means where no code comes with it; of one that nobody has words for its number. */
export const codeOfStatus = (status: number): string =>
  MEANINGS[status] ?? (status >= 500 ? "internal" : `http-${status}`);

const sentenceOf = (value: unknown): string => {
  const sentence = parse(Sentence, value);
  return sentence.ok ? sentence.value.trim().slice(0, SENTENCE_SHOWN) : "";
};

/** A body that is itself a list is the list of its faults. */
function bodyOf(text: string): Static<typeof AnyBody> {
  const list = parseJson(AnyList, text);
  if (list.ok) return { errors: list.value };
  const body = parseJson(AnyBody, text);
  return body.ok ? body.value : {};
}

/** Reads an error answer's body, which may be of another product, or none at all. */
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

/** Statuses that have a sentence of ours, whatever a foreign server adds. */
const hasSentence = (status: number): boolean => [401, 404, 429].includes(status) || status >= 500;

type Said = Pick<RefusalBody, "message" | "errors" | "own">;

/** A foreign server's own sentence, where that says more than the status; null where it does not. */
export const saidIn = (status: number, { own, message, errors }: Said): string | null =>
  own || message === "" || errors.length > 0 || hasSentence(status) ? null : message;

/** The same where no form can show its faults at their fields: they are the sentence then. */
export function saidInAll(status: number, body: Said): string | null {
  if (body.own || hasSentence(status) || body.errors.length === 0) return saidIn(status, body);
  const faults = body.errors.map(({ defaultMessage }) => defaultMessage);
  return [...new Set(faults)].join(" ").slice(0, SENTENCE_SHOWN);
}

const CODE = /^[a-z0-9-]*$/;

/**
 * Why something was refused, in one text that goes through records and events: a code that the client has words for,
 * or the sentence of a farm API that has no codes.
 */
export const isSentence = (reason: string): boolean => !CODE.test(reason);
