import type { ErrorBody } from "@mulkko/shared/rest/errors";
import { isSentence, saidIn, saidInAll } from "@mulkko/shared/rest/refusal-body";

/** The farm API or the relay refused the call. `code` selects the client's text. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly fields: NonNullable<ErrorBody["errors"]>;
  /** True if the answer contained the code; false if it is derived from the status of a foreign server. */
  readonly own: boolean;
  /** Seconds to wait, if the server said so (429, 503). */
  readonly retryAfterSeconds: number | null;
  /** Header `Allow`, sent with 405. */
  readonly allow: string | null;

  constructor(
    status: number,
    body: Pick<ErrorBody, "code" | "message" | "errors"> & { readonly own?: boolean },
    retryAfterSeconds: number | null,
    allow: string | null = null,
  ) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.fields = body.errors ?? [];
    this.own = body.own ?? true;
    this.retryAfterSeconds = retryAfterSeconds;
    this.allow = allow;
  }

  /** Foreign server's own text if it says more than the status; null otherwise. */
  get said(): string | null {
    return saidIn(this.status, { own: this.own, message: this.message, errors: this.fields });
  }

  /** Reason for `labels.error` outside a form: the code, or a foreign server's text with its field errors. */
  get reason(): string {
    const said = saidInAll(this.status, { own: this.own, message: this.message, errors: this.fields });
    // A single word could be mistaken for a code.
    return said !== null && isSentence(said) ? said : this.code;
  }

  /** False if the answer had no body, or none with a reason. */
  get hasReason(): boolean {
    return this.own || this.fields.length > 0 || this.said !== null;
  }

  /** True if the same call may succeed later. */
  get temporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/**
 * Return true if a change was rejected because the object changed since it was read (extension `versions`).
 */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Accept the refusal of a deletion whose object is gone: another user has deleted it already. */
export function acceptGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

/** No answer: no network, no relay, or too slow. Whether the call was executed is unknown. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly code: "network" | "not-sent" = "network";
  readonly temporary = true;
}

/** The browser had no network when a write began: it has not left this machine. */
export class NotSentError extends NoAnswerError {
  override readonly code = "not-sent";
}

/** The answer does not match its schema: another product, or another version. */
export class BadAnswerError extends Error {
  override readonly name = "BadAnswerError";
  readonly code = "bad-message";
  readonly temporary = false;
}

/** Statuses of a server that cannot tell if a call was carried out: it was cut off, or its own source was. */
const UNKNOWN_FROM = 500;

/**
 * Return true if a write that failed with this error may have been carried out (CMD-19): no answer is not a
 * refusal, nor is one that cannot be read, which may be a network's sign-in page.
 */
export const isUnknownOutcome = (error: unknown): boolean =>
  (error instanceof NoAnswerError && !(error instanceof NotSentError)) ||
  error instanceof BadAnswerError ||
  (error instanceof ApiError && error.status >= UNKNOWN_FROM);

/** Return the code of any error, for `labels.error`. */
export function errorCode(error: unknown): string {
  if (error instanceof ApiError || error instanceof NoAnswerError || error instanceof BadAnswerError) {
    return error.code;
  }
  return "unknown";
}

/** A failed call's reason, for storage in a screen's state. */
export interface CallFailure {
  readonly code: string;
  /** Foreign server's own text if it says more than the code. */
  readonly said: string | null;
  /** True if a write may have been carried out despite it (CMD-19). */
  readonly unknown: boolean;
}

export const callFailure = (error: unknown): CallFailure => ({
  code: errorCode(error),
  said: error instanceof ApiError ? error.said : null,
  unknown: isUnknownOutcome(error),
});

/**
 * Return the reason of a failed call for `labels.error`, in the format of a valve command's reason. It is the
 * error's code, or the text of a farm API without codes.
 */
export const errorReason = (error: unknown): string =>
  error instanceof ApiError ? error.reason : errorCode(error);
