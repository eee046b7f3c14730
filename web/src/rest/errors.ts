import type { ErrorBody } from "@mulkko/shared/rest/errors";
import { isSentence, saidIn, saidInAll } from "@mulkko/shared/rest/refusal-body";

/** The farm API or the relay answered, and it was no. `code` is what the client has words for. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly fields: NonNullable<ErrorBody["errors"]>;
  /** The code came with the answer; else it is what the status means, and the server is none of ours. */
  readonly own: boolean;
  /** Seconds to wait, where the server said so (429, 503). */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    body: Pick<ErrorBody, "code" | "message" | "errors"> & { readonly own?: boolean },
    retryAfterSeconds: number | null,
  ) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.fields = body.errors ?? [];
    this.own = body.own ?? true;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** A foreign server's own sentence, where that says more than the status; null where it does not. */
  get said(): string | null {
    return saidIn(this.status, { own: this.own, message: this.message, errors: this.fields });
  }

  /** For `labels.error`, where there is no form: the code, or what a foreign server says, its fields' faults too. */
  get reason(): string {
    const said = saidInAll(this.status, { own: this.own, message: this.message, errors: this.fields });
    // A word that looks like a code would not be told from one.
    return said !== null && isSentence(said) ? said : this.code;
  }

  /** False where the answer had no body, or none that says why. */
  get hasReason(): boolean {
    return this.own || this.fields.length > 0 || this.said !== null;
  }

  /** True if the same call may do better later. */
  get temporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** True for the answer to a change of something that others have changed since it was read (extension `versions`). */
export const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** No answer came: no network, no relay, or too slow. Whether the call was carried out is not known. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly code = "network";
  readonly temporary = true;
}

/** An answer came that does not fit its schema: another product, or another version. */
export class BadAnswerError extends Error {
  override readonly name = "BadAnswerError";
  readonly code = "bad-message";
  readonly temporary = false;
}

/** The code of whatever went wrong, for `labels.error`. */
export function errorCode(error: unknown): string {
  if (error instanceof ApiError || error instanceof NoAnswerError || error instanceof BadAnswerError) {
    return error.code;
  }
  return "unknown";
}

/** Why a call failed, as a screen keeps it. */
export interface CallFailure {
  readonly code: string;
  /** A foreign server's own sentence, where it says more than the code. */
  readonly said: string | null;
}

export const callFailure = (error: unknown): CallFailure => ({
  code: errorCode(error),
  said: error instanceof ApiError ? error.said : null,
});
