import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";
import { StoreUnavailableError } from "../store/errors.ts";

/** Return the body of an error answer, as defined in the contract. */
export function errorBody(
  status: number,
  code: ErrorCode,
  message: string,
  errors?: ErrorBody["errors"],
): ErrorBody {
  const error = STATUS_CODES[status] ?? "Error";
  return { status, error, code, message, ...(errors !== undefined && { errors }) };
}

/** Any Fastify reply, independent of the server's type. */
interface Answerable<Reply> {
  code(status: number): Reply;
  send(body: ErrorBody): Reply;
}

/** Send an error in the contract's shape. */
export function sendError<Reply extends Answerable<Reply>>(
  reply: Reply,
  status: number,
  code: ErrorCode,
  message: string,
  errors?: ErrorBody["errors"],
): Reply {
  return reply.code(status).send(errorBody(status, code, message, errors));
}

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

/**
 * Wait for work of the store.
 *
 * @param message of the answer while the store is away
 * @throws RelayError 503 `store-down`
 */
export const orStoreDown = <T>(work: Promise<T>, message: string): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new RelayError(503, "store-down", message);
  });

/** Return the refusal of one invalid field. */
export const invalidField = (field: string, defaultMessage: string): RelayError =>
  new RelayError(422, "validation", `${field} ${defaultMessage}`, [{ field, defaultMessage }]);
