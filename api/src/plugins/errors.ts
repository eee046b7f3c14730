import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import { DatabaseError, FOREIGN_KEY_VIOLATION } from "../database/database.ts";
import { ApiError, type FieldErrors, FieldsError } from "../http/api-error.ts";
import { errorBody } from "../http/error-body.ts";

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  412: "changed-meanwhile",
  413: "too-large",
  422: "validation",
  429: "too-many-requests",
};

/** SQLSTATEs of values that no column takes: a NUL in text, or in JSON, and numbers out of range. */
const UNSTORABLE = new Set(["22021", "22P05", "22003"]);

function send(reply: FastifyReply, status: number, code: ErrorCode, message: string, errors?: FieldErrors) {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(errorBody(status, code, message, errors));
}

interface Problem {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const fieldErrors = (problems: readonly Problem[]): FieldErrors =>
  problems.map(({ instancePath, message, params }) => {
    const missing = typeof params.missingProperty === "string" ? params.missingProperty : "";
    return {
      field: instancePath.slice(1).replaceAll("/", ".") || missing,
      defaultMessage: message ?? "is not valid",
    };
  });

interface HttpFault {
  readonly statusCode?: number;
  readonly message?: string;
  readonly validation?: readonly Problem[];
}

/** One handler for every error, in the shape of the contract; what is our own fault is logged, never shown. */
export const errorsPlugin = fp(
  async (app) => {
    app.setErrorHandler<HttpFault>((error, request, reply) => {
      if (error instanceof FieldsError) {
        return send(reply, error.status, error.code, error.message, error.errors);
      }
      if (error instanceof ApiError) {
        if (error.retryAfter !== undefined) reply.header("retry-after", String(error.retryAfter));
        const errors = error.field ? [{ field: error.field, defaultMessage: error.message }] : undefined;
        return send(reply, error.status, error.code, error.message, errors);
      }
      if (error instanceof DatabaseError && error.temporary) {
        request.log.warn({ err: error }, "the database is away");
        reply.header("retry-after", "5");
        return send(reply, 503, "database-down", "the database cannot be reached");
      }
      if (error instanceof DatabaseError && UNSTORABLE.has(error.code)) {
        request.log.warn({ err: error }, "the database refused a value");
        return send(reply, 422, "validation", "a value holds characters or a number that cannot be stored");
      }
      if (error instanceof DatabaseError && error.code === FOREIGN_KEY_VIOLATION) {
        return send(reply, 404, "not-found", "what it refers to is gone");
      }
      if (error.validation) {
        const errors = fieldErrors(error.validation);
        const first = errors[0];
        return send(
          reply,
          422,
          "validation",
          first ? `${first.field} ${first.defaultMessage}`.trim() : "not valid",
          errors,
        );
      }
      const status = error.statusCode ?? 500;
      if (status >= 400 && status < 500) {
        return send(
          reply,
          status,
          CODE_OF_STATUS[status] ?? "malformed",
          error.message ?? "malformed request",
        );
      }
      request.log.error({ err: error }, "request failed");
      return send(reply, 500, "internal", "something went wrong here; it is in the log");
    });
    app.setNotFoundHandler((_request, reply) => send(reply, 404, "not-found", "no such call"));
  },
  { name: "errors" },
);
