import { type CallWay, CallWays, formOf, type WayRefusal } from "@mulkko/shared/rest/call-ways";
import { ErrorBody } from "@mulkko/shared/rest/errors";
import type { Operation } from "@mulkko/shared/rest/operations/operation";
import { readRefusal, saidInAll } from "@mulkko/shared/rest/refusal-body";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { mend, type OddField } from "@mulkko/shared/schema/mend";
import { parseJson } from "@mulkko/shared/schema/parse";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import type { Static, TSchema } from "typebox";
import type { UpstreamOutcome } from "../runtime/metrics.ts";
import {
  UpstreamAnswerError,
  type UpstreamError,
  UpstreamStatusError,
  UpstreamUnreachableError,
} from "./errors.ts";

/** Limits of a call; those of the client apply to what is left out. */
export interface CallLimits {
  /** Time-out of the whole call. */
  readonly ms?: number;
  /** Size of the answer. */
  readonly bytes?: number;
}

/** Options of a call. */
export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Appended to the path; never included in an error, because a login's query holds a password. */
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form if the API accepts nothing else (WAY-1). */
  readonly json?: object;
  readonly limits?: CallLimits;
  readonly signal?: AbortSignal;
  /** Asked before the call is sent again in another way (WAY-1): false leaves it refused. */
  readonly isWanted?: () => boolean;
  /** Metrics label: a poll unit, `proof` or `command`; never a path with ids. */
  readonly unit?: string;
}

/**
 * The farm API over HTTP. Each call is one request, repeated only if the API requires another form (WAY-1),
 * and every answer is validated.
 */
export interface UpstreamClient {
  get<S extends TSchema>(path: string, schema: S, options?: CallOptions): Promise<Static<S>>;
  /** Send a call that writes, by the methods of its row. */
  send<S extends TSchema>(operation: Write, schema: S, options?: CallOptions): Promise<Static<S>>;
}

/** The row of a call that writes; its path has no parameters. */
export type Write = Pick<Operation, "methods" | "path">;

/** Reads the farm API by GET. Rejects with an `UpstreamError` (`upstream/errors.ts`). */
export type UpstreamReader = Pick<UpstreamClient, "get">;

/** A call that failed. */
export interface FailedCall {
  readonly unit: string;
  /** Repeat the call; null if it could have side effects. */
  readonly again: (() => Promise<unknown>) | null;
}

/** Observes every completed call. */
interface CallObserver {
  /**
   * The answer was valid. `dateSkewMs`: how far the API's clock is ahead of the relay's by its `Date`
   * header.
   */
  answered(dateSkewMs: number | null, unit: string): void;
  failed(error: UpstreamError, call: FailedCall): void;
  /** Fields and rows of an answer were ignored because they violate the contract. */
  odd(unit: string, fields: readonly OddField[]): void;
  counted(unit: string, outcome: UpstreamOutcome, ms: number): void;
}

interface ClientDeps {
  /** Origin of the API, e.g. `http://127.0.0.1:8081`, with its base path, if any. */
  readonly origin: string;
  readonly clock: Clock;
  /** The machine's timers by default. */
  readonly timers?: Timers;
  readonly observer: CallObserver;
  readonly fetch?: typeof fetch;
}

/** Time-out of a call, ms. */
const TIMEOUT_MS = 10_000;
/** Size limit of an answer, bytes. */
const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const ERROR_LIMIT_BYTES = 64 * 1024;

const outcomeOf = (error: UpstreamError): UpstreamOutcome => {
  if (error instanceof UpstreamUnreachableError) return error.why === "timeout" ? "timeout" : "refused";
  return error instanceof UpstreamStatusError && error.status < 500 ? "answered" : "failed";
};

/** Convert seconds or an HTTP date to ms from now; null for anything else. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null || header === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

export function createUpstreamClient(deps: ClientDeps): UpstreamClient {
  const { clock, observer } = deps;
  const { timers = nodeTimers } = deps;
  const request = deps.fetch ?? fetch;
  const base = deps.origin.replace(/\/+$/, "");
  const ways = new CallWays();

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
      response.headers.get("allow"),
    );
  };

  const exchange = async (
    { method, body }: CallWay,
    path: string,
    options: CallOptions,
    timeout: AbortSignal,
  ): Promise<{ body: unknown; skew: number | null }> => {
    const headers: Record<string, string> = { accept: "application/json", ...options.headers };
    if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    const safe = method === "GET";
    const lost = (cause: unknown): UpstreamError =>
      timeout.aborted
        ? new UpstreamUnreachableError(`${path} did not answer in time`, "timeout", {
            mayHaveExecuted: !safe,
            cause,
          })
        : new UpstreamUnreachableError(`${path} is unreachable`, "connection", {
            mayHaveExecuted: !safe && !isRefused(cause),
            cause,
          });
    const url = new URL(`${base}${path}`);
    const { json } = options;
    if (json !== undefined) {
      headers["content-type"] = body === "form" ? "application/x-www-form-urlencoded" : "application/json";
    }
    if (options.query !== undefined) url.search = new URLSearchParams(options.query).toString();
    const response = await request(url, {
      method,
      headers,
      redirect: "error",
      signal,
      ...(json !== undefined && { body: body === "form" ? formOf(json).toString() : JSON.stringify(json) }),
    }).catch((cause: unknown) => {
      throw lost(cause);
    });
    if (!response.ok) throw await statusError(response, path);
    const date = Date.parse(response.headers.get("date") ?? "");
    const text = await readBody(response, options.limits?.bytes ?? ANSWER_LIMIT_BYTES).catch(
      (cause: unknown) => {
        throw cause instanceof RangeError
          ? new UpstreamAnswerError(`${path} sent an answer that is too large`, { cause })
          : lost(cause);
      },
    );
    const skew = Number.isNaN(date) ? null : date - clock.now();
    // Answers for "not shown" may be empty, and some APIs send an empty body for null.
    if (text.trim() === "") return { body: null, skew };
    try {
      return { body: JSON.parse(text), skew };
    } catch (cause) {
      throw new UpstreamAnswerError(`${path} sent invalid JSON`, { cause });
    }
  };

  const send = async (way: CallWay, path: string, options: CallOptions) => {
    const timeout = new AbortController();
    const late = timers.after(options.limits?.ms ?? TIMEOUT_MS, () =>
      timeout.abort(new DOMException("no answer in time", "TimeoutError")),
    );
    try {
      return await exchange(way, path, options, timeout.signal);
    } finally {
      late.cancel();
    }
  };

  const call = async <S extends TSchema>(
    path: string,
    schema: S,
    options: CallOptions,
    operation: Write | null,
  ): Promise<Static<S>> => {
    const began = clock.monotonic();
    const unit = options.unit ?? "other";
    try {
      const method = operation?.methods[0] ?? "GET";
      const way: CallWay = { method, body: options.json === undefined ? null : "json" };
      const { body, skew } = await ways.send(
        way,
        operation,
        (each) => send(each, path, options),
        (error) => (options.isWanted?.() === false ? null : refusalOf(error)),
      );
      const answer = mend(schema, body);
      if (!answer.ok) {
        throw new UpstreamAnswerError(`${path} sent an unexpected answer: ${answer.path} ${answer.message}`);
      }
      observer.answered(skew, unit);
      if (answer.odd.length > 0) observer.odd(unit, answer.odd);
      observer.counted(unit, "answered", clock.monotonic() - began);
      return answer.value;
    } catch (error) {
      if (isUpstreamError(error)) {
        observer.counted(unit, outcomeOf(error), clock.monotonic() - began);
        // Omit the caller's signal: the caller may have left by then.
        const { signal, ...rest } = options;
        const again = operation === null ? () => call(path, schema, rest, null) : null;
        if (signal?.aborted !== true) observer.failed(error, { unit, again });
      }
      throw error;
    }
  };

  return {
    get: (path, schema, options = {}) => call(path, schema, options, null),
    send: (operation, schema, options = {}) => call(operation.path, schema, options, operation),
  };
}

const refusalOf = (error: unknown): WayRefusal | null =>
  error instanceof UpstreamStatusError ? error : null;

function isUpstreamError(error: unknown): error is UpstreamError {
  return (
    error instanceof UpstreamStatusError ||
    error instanceof UpstreamUnreachableError ||
    error instanceof UpstreamAnswerError
  );
}

/** True if the connection was never established, so nothing can have been executed. */
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

/**
 * Read the text of an answer.
 *
 * @throws RangeError for more than `limitBytes`; the rest is not read
 */
export async function readBody(response: Response, limitBytes: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) throw new RangeError(`more than ${limitBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
