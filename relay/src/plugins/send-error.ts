import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";

/** The body of an error answer, as everywhere in the contract. */
export function errorBody(
  status: number,
  code: ErrorCode,
  message: string,
  errors?: ErrorBody["errors"],
): ErrorBody {
  const error = STATUS_CODES[status] ?? "Error";
  return { status, error, code, message, ...(errors !== undefined && { errors }) };
}

/** Any reply of Fastify, whatever server it belongs to. */
interface Answerable<Reply> {
  code(status: number): Reply;
  send(body: ErrorBody): Reply;
}

/** Answers with an error in the contract's shape. */
export function sendError<Reply extends Answerable<Reply>>(
  reply: Reply,
  status: number,
  code: ErrorCode,
  message: string,
  errors?: ErrorBody["errors"],
): Reply {
  return reply.code(status).send(errorBody(status, code, message, errors));
}
