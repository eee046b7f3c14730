/**
 * What can go wrong between the relay and the farm API. Each error says of itself whether the fault passes by
 * itself (`temporary`), whether the same call may be repeated (`shouldRetry`), and whether the API may have done
 * what was asked all the same (`mayHaveExecuted`).
 */
export abstract class UpstreamError extends Error {
  abstract readonly temporary: boolean;
  /** HTTP status of the answer; null where there was none. */
  abstract readonly status: number | null;
  abstract readonly mayHaveExecuted: boolean;
  shouldRetry(): boolean {
    return this.temporary && !this.mayHaveExecuted;
  }
}

/** No answer: refused, cut, timed out, or not asked because the API is known to be away. */
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
  /** `code` of the error body; empty where a foreign API has none. */
  readonly code: string;
  /** ms that the API asked to be left alone; null if it did not. */
  readonly retryAfterMs: number | null;
  /** For people: what a foreign API says where it has no code of ours; null where that is no more than the status. */
  readonly said: string | null;
  constructor(
    message: string,
    status: number,
    code: string,
    retryAfterMs: number | null,
    said: string | null = null,
  ) {
    super(message);
    this.said = said;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
  override get temporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
  override get mayHaveExecuted(): boolean {
    return this.status >= 500 && this.status !== 503;
  }
  /** The credential was not accepted for this call. */
  get isAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** The API answered, and not as the contract says. */
export class UpstreamAnswerError extends UpstreamError {
  override readonly name = "UpstreamAnswerError";
  override readonly temporary = false;
  override readonly status = null;
  override readonly mayHaveExecuted = true;
}

/** No credential of the account is left that the API accepts (POLL-5). */
export class NoAccessError extends UpstreamError {
  override readonly name = "NoAccessError";
  override readonly temporary = false;
  override readonly status = null;
  override readonly mayHaveExecuted = false;
}
