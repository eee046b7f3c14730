import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** Invalid fields, each with a sentence. */
export type FieldErrors = NonNullable<ErrorBody["errors"]>;

/** An error answer; becomes the error body of the contract. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined;
  /** The invalid field, for 422. */
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

/** Several invalid fields, reported together. */
export class FieldsError extends ApiError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    const sentences = errors.map(({ defaultMessage }) => defaultMessage);
    super(422, "validation", sentences.join(" "));
    this.errors = errors;
  }
}

/** Unknown, or another account's: the answer does not distinguish them. */
export const notFound = (what: string): ApiError => new ApiError(404, "not-found", `${what} not found`);

/**
 * Throw all faults at once.
 *
 * @param faults by field: a sentence, or null for a valid field
 * @throws FieldsError
 */
export function refuse(faults: Readonly<Record<string, string | null>>): void {
  const errors: FieldErrors = Object.entries(faults).flatMap(([field, defaultMessage]) =>
    defaultMessage === null ? [] : [{ field, defaultMessage }],
  );
  if (errors.length > 0) throw new FieldsError(errors);
}
