import { ImageAnswer } from "@mulkko/shared/rest/account";
import { formOf } from "@mulkko/shared/rest/call-ways";
import type { Method, Operation } from "@mulkko/shared/rest/operations/operation";
import { readRefusal } from "@mulkko/shared/rest/refusal-body";
import { systemTimers, type Timers } from "@mulkko/shared/rules/clock";
import { mend } from "@mulkko/shared/schema/mend";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";
import { ApiError, BadAnswerError, NoAnswerError, NotSentError } from "./errors.ts";

/** Return the path of a stored image; null if the API returns nothing. */
export function imagePathOf(answer: unknown): string | null {
  const parsed = parse(ImageAnswer, answer);
  return parsed.ok ? parsed.value.imagePath : null;
}

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

/**
 * Abort with the caller's own signal, or after a time in ms. Hand-written: many televisions' browsers lack
 * `AbortSignal.any` and `AbortSignal.timeout`.
 */
export function createDeadline(ms: number, own: AbortSignal | undefined, timers: Timers = systemTimers) {
  const both = new AbortController();
  const end = () => both.abort(own?.reason);
  const timer = timers.after(ms, () => both.abort(new DOMException("no answer in time", "TimeoutError")));
  if (own?.aborted) end();
  else own?.addEventListener("abort", end);
  return {
    signal: both.signal,
    /** Cancel the deadline after the answer. */
    over() {
      timer.cancel();
      own?.removeEventListener("abort", end);
    },
  };
}

/** Fields of a form as the farm API expects them. */
export type FormFields = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** An image, under the only part name that the farm API accepts. */
export interface FilePart {
  readonly name: "image";
  readonly file: Blob;
}

/** Encode one file as multipart; a blob without a name is named after its part. */
function multipartOf({ name, file }: FilePart): FormData {
  const form = new FormData();
  form.set(name, file, file instanceof File ? file.name : name);
  return form;
}

/** Return the changed fields: unchanged ones must not overwrite other users' changes. */
export function changedFields<T extends object>(now: T, before: object): Partial<T> {
  const old = new Map(Object.entries(before));
  const isOther = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(old.get(name));
  const changed: Partial<T> = {};
  return Object.assign(changed, Object.fromEntries(Object.entries(now).filter(isOther)));
}

/** Return the `If-Match` header of a change (extension `versions`); empty for an API without versions. */
export const ifMatch = (version: string | null | undefined): Readonly<Record<string, string>> =>
  version ? { "if-match": `"${version}"` } : {};

/** Return the header under which a call that creates something is carried out once (extension `idempotent-create`). */
export const onceHeader = (key: string): Readonly<Record<string, string>> => ({ "Idempotency-Key": key });

/** Timeout of a call, ms; the relay itself answers a command within 5 s. */
const CALL_TIMEOUT_MS = 20_000;

/** Timeout of a 5 MiB image on a slow link, ms. */
const UPLOAD_TIMEOUT_MS = 120_000;

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** One call with at most one body. */
export interface Call<S extends TSchema> {
  readonly method: Method;
  readonly path: string;
  /** Row of a call of the farm API, which names its other methods (WAY-1). */
  readonly operation?: Pick<Operation, "methods" | "path">;
  /** Schema of the answer. */
  readonly answer: S;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: FormFields;
  /** Sent as `multipart/form-data`. */
  readonly file?: FilePart;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The browser finishes the call after its page is gone; for bodies of a few kB (the limit is 64 of all calls). */
  readonly outlivesPage?: boolean;
  /** {@link CALL_TIMEOUT_MS} by default, {@link UPLOAD_TIMEOUT_MS} with a file. */
  readonly timeoutMs?: number;
}

/** Parsed value of an empty answer. */
const EMPTY = "null";

function retryAfterSeconds(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Encode the body; the browser sets the content type of a form and of a file. */
function bodyOf(call: Pick<Call<TSchema>, "body" | "form" | "file">): BodyInit | null {
  if (call.file !== undefined) return multipartOf(call.file);
  if (call.form !== undefined) return formOf(call.form);
  return call.body === undefined ? null : JSON.stringify(call.body);
}

/**
 * Perform one call and validate its answer.
 *
 * @throws ApiError the server refused · NoAnswerError no answer · BadAnswerError an invalid answer ·
 * DOMException AbortError the caller's own signal
 */
export async function performCall<S extends TSchema>(
  fetcher: Fetch,
  call: Call<S>,
  token: string | null,
  timers?: Timers,
): Promise<Static<S>> {
  const headers: Record<string, string> = { accept: "application/json", ...call.headers };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (call.body !== undefined) headers["content-type"] = "application/json";
  const body = bodyOf(call);
  const timeoutMs = call.timeoutMs ?? (call.file === undefined ? CALL_TIMEOUT_MS : UPLOAD_TIMEOUT_MS);
  const deadline = createDeadline(timeoutMs, call.signal, timers);
  // Only "no" is certain: a browser with any network says yes.
  const isUnsent = call.method !== "GET" && navigator.onLine === false;
  let response: Response;
  let text: string;
  try {
    response = await fetcher(call.path, {
      method: call.method,
      headers,
      signal: deadline.signal,
      ...(call.outlivesPage ? { keepalive: true } : {}),
      ...(body === null ? {} : { body }),
    });
    text = await response.text();
  } catch (error) {
    if (call.signal?.aborted) throw error;
    const Unanswered = isUnsent ? NotSentError : NoAnswerError;
    throw new Unanswered(`${call.method} ${call.path}`, { cause: error });
  } finally {
    deadline.over();
  }
  if (!response.ok) {
    const refusal = readRefusal(response.status, text);
    const allow = response.headers.get("allow");
    throw new ApiError(response.status, refusal, retryAfterSeconds(response), allow);
  }
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? EMPTY : text);
  } catch (error) {
    throw new BadAnswerError(`${call.path}: is not JSON`, { cause: error });
  }
  return readAnswer(call.answer, value, call.path);
}
