import { ErrorBody } from "@mulkko/shared/rest/errors";
import { readRefusal, saidInAll } from "@mulkko/shared/rest/refusal-body";
import type { Clock } from "@mulkko/shared/rules/clock";
import { parse, parseJson } from "@mulkko/shared/schema/parse";
import type { Static, TSchema } from "typebox";
import type { UpstreamOutcome } from "../ports/metrics.ts";
import type { UpstreamReader } from "../ports/upstream.ts";
import { readBody } from "./body.ts";
import {
  UpstreamAnswerError,
  type UpstreamError,
  UpstreamStatusError,
  UpstreamUnreachableError,
} from "./errors.ts";

/** What a call may say beside its path. */
export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the path; never named in an error, as a login's holds a password. */
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly limitBytes?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** What is counted: a poll unit, `proof` or `command`; never a path with ids. */
  readonly unit?: string;
}

/** The farm API over HTTP; each call is one request, never repeated here. */
export interface UpstreamClient extends UpstreamReader {
  get<S extends TSchema>(path: string, schema: S, options?: CallOptions): Promise<Static<S>>;
  post<S extends TSchema>(path: string, schema: S, options?: CallOptions): Promise<Static<S>>;
  put<S extends TSchema>(path: string, schema: S, options?: CallOptions): Promise<Static<S>>;
}

/** A call that failed. */
export interface FailedCall {
  readonly unit: string;
  /** Asks the same once more, for whoever may want to know; null where that could do something. */
  readonly again: (() => Promise<unknown>) | null;
}

/** Told of every call that reached an end. */
export interface CallObserver {
  /** As agreed. `dateSkewMs`: how far the API's clock is ahead of ours by its `Date` header. */
  answered(dateSkewMs: number | null, unit: string): void;
  failed(error: UpstreamError, call: FailedCall): void;
  counted(unit: string, outcome: UpstreamOutcome, ms: number): void;
}

export interface ClientParts {
  /** Origin of the API, e.g. `http://127.0.0.1:8081`. */
  readonly origin: string;
  readonly clock: Clock;
  readonly observer: CallObserver;
  readonly fetch?: typeof fetch;
}

/** ms until a call is given up. */
const TIMEOUT_MS = 10_000;
/** Bytes of the largest answer that is read. */
const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const ERROR_LIMIT_BYTES = 64 * 1024;

const outcomeOf = (error: UpstreamError): UpstreamOutcome => {
  if (error instanceof UpstreamUnreachableError) return error.why === "timeout" ? "timeout" : "refused";
  return error instanceof UpstreamStatusError && error.status < 500 ? "answered" : "failed";
};

/** Seconds or an HTTP date → ms from now; null if it is neither. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null || header === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

export function createUpstreamClient(parts: ClientParts): UpstreamClient {
  const { clock, observer } = parts;
  const request = parts.fetch ?? fetch;

  const statusError = async (response: Response, path: string): Promise<UpstreamStatusError> => {
    const text = await readBody(response, ERROR_LIMIT_BYTES).catch(() => "");
    const body = parseJson(ErrorBody, text);
    const code = body.ok ? body.value.code : "";
    const words = body.ok ? body.value.message : response.statusText;
    const pause = retryAfter(response.headers.get("retry-after"), clock.now());
    return new UpstreamStatusError(
      `${path} answered ${response.status} ${words}`,
      response.status,
      code,
      pause,
      saidInAll(response.status, readRefusal(response.status, text)),
    );
  };

  const send = async (
    method: string,
    path: string,
    options: CallOptions,
  ): Promise<{ body: unknown; skew: number | null }> => {
    const headers: Record<string, string> = { accept: "application/json", ...options.headers };
    if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
    if (options.json !== undefined) headers["content-type"] = "application/json";
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const safe = method === "GET";
    const lost = (cause: unknown): UpstreamError =>
      timeout.aborted
        ? new UpstreamUnreachableError(`${path} did not answer in time`, "timeout", {
            mayHaveExecuted: !safe,
            cause,
          })
        : new UpstreamUnreachableError(`${path} could not be reached`, "connection", {
            mayHaveExecuted: !safe && !isRefused(cause),
            cause,
          });
    const url = new URL(path, parts.origin);
    if (options.query !== undefined) url.search = new URLSearchParams(options.query).toString();
    const response = await request(url, {
      method,
      headers,
      redirect: "error",
      signal,
      ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
    }).catch((cause: unknown) => {
      throw lost(cause);
    });
    if (!response.ok) throw await statusError(response, path);
    const date = Date.parse(response.headers.get("date") ?? "");
    const text = await readBody(response, options.limitBytes ?? ANSWER_LIMIT_BYTES).catch(
      (cause: unknown) => {
        throw cause instanceof RangeError
          ? new UpstreamAnswerError(`${path} answered more than is read`, { cause })
          : lost(cause);
      },
    );
    const skew = Number.isNaN(date) ? null : date - clock.now();
    // "Not shown" answers may be empty, and some APIs send an empty body for null.
    if (text.trim() === "") return { body: null, skew };
    try {
      return { body: JSON.parse(text), skew };
    } catch (cause) {
      throw new UpstreamAnswerError(`${path} answered no JSON`, { cause });
    }
  };

  const call = async <S extends TSchema>(
    method: string,
    path: string,
    schema: S,
    options: CallOptions,
  ): Promise<Static<S>> => {
    const began = clock.monotonic();
    const unit = options.unit ?? "other";
    try {
      const { body, skew } = await send(method, path, options);
      const answer = parse(schema, body);
      if (!answer.ok) {
        throw new UpstreamAnswerError(
          `${path} answered otherwise than agreed: ${answer.path} ${answer.message}`,
        );
      }
      observer.answered(skew, unit);
      observer.counted(unit, "answered", clock.monotonic() - began);
      return answer.value;
    } catch (error) {
      if (isUpstreamError(error)) {
        observer.counted(unit, outcomeOf(error), clock.monotonic() - began);
        // Without its caller's signal: who asked may have gone by then.
        const { signal, ...rest } = options;
        const again = method === "GET" ? () => call(method, path, schema, rest) : null;
        if (signal?.aborted !== true) observer.failed(error, { unit, again });
      }
      throw error;
    }
  };

  return {
    get: (path, schema, options = {}) => call("GET", path, schema, options),
    post: (path, schema, options = {}) => call("POST", path, schema, options),
    put: (path, schema, options = {}) => call("PUT", path, schema, options),
  };
}

function isUpstreamError(error: unknown): error is UpstreamError {
  return (
    error instanceof UpstreamStatusError ||
    error instanceof UpstreamUnreachableError ||
    error instanceof UpstreamAnswerError
  );
}

/** True if the connection was never made, so that nothing can have been executed. */
function isRefused(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  const code = typeof inner === "object" && inner !== null && "code" in inner ? inner.code : undefined;
  return (
    code === "ECONNREFUSED" ||
    code === "ENOTFOUND" ||
    code === "EAI_AGAIN" ||
    code === "UND_ERR_CONNECT_TIMEOUT"
  );
}
