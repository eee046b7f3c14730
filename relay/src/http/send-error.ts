import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

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
