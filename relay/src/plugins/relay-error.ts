import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** An answer that a handler ends with; the error handler puts it into the contract's shape. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: ErrorBody["errors"];
  constructor(status: number, code: ErrorCode, message: string, errors?: ErrorBody["errors"]) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}
