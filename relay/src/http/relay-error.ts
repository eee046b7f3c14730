import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** An error answer thrown by a handler; the error handler sends it in the contract's shape. */
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
