import { formOf } from "@mulkko/shared/rest/call-ways";
import { readRefusal } from "@mulkko/shared/rest/refusal-body";
import type { Static, TSchema } from "typebox";
import { type FilePart, type FormFields, multipartOf } from "./bodies.ts";
import { createDeadline } from "./deadline.ts";
import { ApiError, BadAnswerError, NoAnswerError } from "./errors.ts";
import { readAnswer } from "./read-answer.ts";

/** Timeout of a call, ms; the relay itself answers a command within 5 s. */
export const CALL_TIMEOUT_MS = 20_000;

/** Timeout of a 5 MiB image on a slow link, ms. */
export const UPLOAD_TIMEOUT_MS = 120_000;

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** One call with at most one body. */
export interface Call<S extends TSchema> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
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
): Promise<Static<S>> {
  const headers: Record<string, string> = { accept: "application/json", ...call.headers };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (call.body !== undefined) headers["content-type"] = "application/json";
  const body = bodyOf(call);
  const timeoutMs = call.timeoutMs ?? (call.file === undefined ? CALL_TIMEOUT_MS : UPLOAD_TIMEOUT_MS);
  const deadline = createDeadline(timeoutMs, call.signal);
  let response: Response;
  let text: string;
  try {
    response = await fetcher(call.path, {
      method: call.method,
      headers,
      signal: deadline.signal,
      ...(body === null ? {} : { body }),
    });
    text = await response.text();
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new NoAnswerError(`${call.method} ${call.path}`, { cause: error });
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
