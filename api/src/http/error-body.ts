import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** Build the body of an error answer; `errors` only where some field is invalid. */
export function errorBody(
  status: number,
  code: ErrorCode,
  message: string,
  errors: NonNullable<ErrorBody["errors"]> = [],
): ErrorBody {
  return {
    status,
    error: STATUS_CODES[status] ?? "Error",
    code,
    message,
    ...(errors.length > 0 ? { errors } : {}),
  };
}
