import type { ErrorBody } from "@mulkko/shared/rest/errors";

/** The code of an answer that gives none: nobody has words for it. */
export const codeOfStatus = (status: number): string => `http-${status}`;

/** The farm API or the relay answered, and it was no. `code` is what the client has words for. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly fields: NonNullable<ErrorBody["errors"]>;
  /** Seconds to wait, where the server said so (429, 503). */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    body: Pick<ErrorBody, "code" | "message" | "errors">,
    retryAfterSeconds: number | null,
  ) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.fields = body.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** False where the answer had no body, or none that says why. */
  get hasReason(): boolean {
    return this.code !== codeOfStatus(this.status);
  }

  /** True if the same call may do better later. */
  get temporary(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

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
