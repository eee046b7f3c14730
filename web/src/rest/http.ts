import { readRefusal } from "@mulkko/shared/rest/refusal-body";
import { parse } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";
import { type FilePart, type FormFields, formOf, multipartOf } from "./bodies.ts";
import { createDeadline } from "./deadline.ts";
import { ApiError, BadAnswerError, NoAnswerError } from "./errors.ts";

/** A call takes at most this long, ms; the relay itself answers a command within 5 s. */
export const CALL_TIMEOUT_MS = 20_000;

/** A picture of 5 MiB over a field's link takes this long at most, ms. */
export const UPLOAD_TIMEOUT_MS = 120_000;

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** One call, with one body at most. */
export interface Call<S extends TSchema> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** What the answer must look like. */
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

/** What an answer without a body is read as. */
const EMPTY = "null";

function retryAfterSeconds(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** What goes over the wire; of a form and of a file the browser itself writes the content type. */
function bodyOf(call: Pick<Call<TSchema>, "body" | "form" | "file">): BodyInit | null {
  if (call.file !== undefined) return multipartOf(call.file);
  if (call.form !== undefined) return formOf(call.form);
  return call.body === undefined ? null : JSON.stringify(call.body);
}

/**
 * Performs one call and checks its answer.
 *
 * @throws ApiError the server said no · NoAnswerError nothing came · BadAnswerError something else came ·
 *   DOMException AbortError the caller's own signal
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
    throw new ApiError(response.status, readRefusal(response.status, text), retryAfterSeconds(response));
  }
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? EMPTY : text);
  } catch (error) {
    throw new BadAnswerError(`${call.path}: is not JSON`, { cause: error });
  }
  const parsed = parse(call.answer, value);
  if (!parsed.ok) throw new BadAnswerError(`${call.path}${parsed.path}: ${parsed.message}`);
  return parsed.value;
}
