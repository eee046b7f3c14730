import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** Fields at fault, each with a sentence. */
export type FieldErrors = NonNullable<ErrorBody["errors"]>;

/** An answer other than the asked one; becomes the error body of the contract. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined;
  /** The field at fault, for 422. */
  readonly field: string | undefined;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { retryAfter?: number; field?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = more.retryAfter;
    this.field = more.field;
  }

  /** True where the same request may succeed later. */
  shouldRetry(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** Fields that break a rule, told together. */
export class FieldsError extends ApiError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    const sentences = errors.map(({ defaultMessage }) => defaultMessage);
    super(422, "validation", sentences.join(" "));
    this.errors = errors;
  }
}

/** Unknown, or somebody else's: the two are not told apart. */
export const notFound = (what: string): ApiError => new ApiError(404, "not-found", `${what} not found`);
