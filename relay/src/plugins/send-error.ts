import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";
import type { FastifyReply } from "fastify";

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

/** Answers with an error in the contract's shape. */
export function sendError(
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  message: string,
  errors?: ErrorBody["errors"],
): FastifyReply {
  return reply.code(status).send(errorBody(status, code, message, errors));
}
