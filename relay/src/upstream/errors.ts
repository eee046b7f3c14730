import { isFinalStatus, mayHaveDone } from "@mulkko/shared/rest/final-status";

/**
 * Base class of faults between the relay and the farm API. Each error states if the fault is temporary
 * (`temporary`), if the same call may be repeated (`shouldRetry`), and if the API may have executed it
 * (`mayHaveExecuted`).
 */
export abstract class UpstreamError extends Error {
  abstract readonly temporary: boolean;
  /** HTTP status of the answer; null without an answer. */
  abstract readonly status: number | null;
  abstract readonly mayHaveExecuted: boolean;
  shouldRetry(): boolean {
    return this.temporary && !this.mayHaveExecuted;
  }
}

/** No answer: refused, cut, timed out, or not sent because the API is known to be unavailable. */
export class UpstreamUnreachableError extends UpstreamError {
  override readonly name = "UpstreamUnreachableError";
  override readonly temporary = true;
  override readonly status = null;
  readonly why: "timeout" | "connection" | "not-asked";
  override readonly mayHaveExecuted: boolean;
  constructor(
    message: string,
    reason: "timeout" | "connection" | "not-asked",
    options: { mayHaveExecuted: boolean; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.why = reason;
    this.mayHaveExecuted = options.mayHaveExecuted;
  }
}

/** The API answered with a status of 400 or more. */
export class UpstreamStatusError extends UpstreamError {
  override readonly name = "UpstreamStatusError";
  override readonly status: number;
  /** `code` of the error body; empty if a foreign API has none. */
  readonly code: string;
  /** ms for which the API asked for a pause; null if it did not. */
  readonly retryAfterMs: number | null;
  /** Message for users from a foreign API without our codes; null if it only repeats the status. */
  readonly said: string | null;
  /** The header `Allow` of a 405. */
  readonly allow: string | null;
  constructor(
    message: string,
    status: number,
    code: string,
    retryAfterMs: number | null,
    said: string | null = null,
    allow: string | null = null,
  ) {
    super(message);
    this.said = said;
    this.allow = allow;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
  override get temporary(): boolean {
    return !isFinalStatus(this.status);
  }
  override get mayHaveExecuted(): boolean {
    return mayHaveDone(this.status);
  }
  /** The credential was not accepted for this call. */
  get isAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** The API answered, but the answer violates the contract. */
export class UpstreamAnswerError extends UpstreamError {
  override readonly name = "UpstreamAnswerError";
  override readonly temporary = false;
  override readonly status = null;
  override readonly mayHaveExecuted = true;
}

/** The API accepts none of the account's credentials (POLL-5). */
export class NoAccessError extends UpstreamError {
  override readonly name = "NoAccessError";
  override readonly temporary = false;
  override readonly status = null;
  override readonly mayHaveExecuted = false;
}
