import { STATUS_CODES } from "node:http";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";
import type { Clock } from "@mulkko/shared/rules/clock";
import { fieldErrorsOf, type SchemaProblem } from "@mulkko/shared/server/field-errors";
import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import { DatabaseError, FOREIGN_KEY_VIOLATION } from "../database/database.ts";
import type { Failure } from "../database/failure.ts";
import { ApiError, type FieldErrors, FieldsError } from "./api-error.ts";

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

/** SQLSTATEs of unstorable values: a NUL in text, or in JSON, and numbers out of range. */
const UNSTORABLE = new Set(["22021", "22P05", "22003"]);

function send(reply: FastifyReply, status: number, code: ErrorCode, message: string, errors?: FieldErrors) {
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(errorBody(status, code, message, errors));
}

interface HttpFault {
  readonly statusCode?: number;
  readonly message?: string;
  readonly validation?: readonly SchemaProblem[];
}

/** Shortest interval between two log lines about an unavailable database, ms: every call meets it. */
const DATABASE_DOWN_EVERY_MS = 60_000;

/** Handle every error in the format of the contract; internal faults are logged, never shown. */
export const errorsPlugin = fp<{ readonly clock: Pick<Clock, "monotonic"> }>(
  async (app, { clock }) => {
    const loggedAt: Partial<Record<Failure, number>> = {};
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
        const now = clock.monotonic();
        if (now - (loggedAt[error.failure] ?? Number.NEGATIVE_INFINITY) >= DATABASE_DOWN_EVERY_MS) {
          loggedAt[error.failure] = now;
          if (error.failure === "away")
            request.log.warn({ event: "database-down", err: error }, "database unavailable");
          // It may also be a defect of this program.
          else request.log.error({ event: "database-refused", err: error }, "database refused statement");
        }
        reply.header("retry-after", "5");
        return send(reply, 503, "database-down", "the database does not accept this now");
      }
      if (error instanceof DatabaseError && UNSTORABLE.has(error.code)) {
        request.log.warn({ event: "value-unstorable", err: error }, "database refused value");
        return send(reply, 422, "validation", "a value holds characters or a number that cannot be stored");
      }
      if (error instanceof DatabaseError && error.code === FOREIGN_KEY_VIOLATION) {
        return send(reply, 404, "not-found", "the referenced entry does not exist");
      }
      if (error.validation) {
        const errors = fieldErrorsOf(error.validation);
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
      request.log.error({ event: "request-failed", err: error }, "request failed");
      return send(reply, 500, "internal", "internal error; see the log of the farm API");
    });
    app.setNotFoundHandler(({ url, method }, reply) => {
      const allowed = app.allowedMethods.of(url.split("?", 1)[0] ?? "");
      if (allowed.length === 0) return send(reply, 404, "not-found", "no such endpoint");
      return send(
        reply.header("allow", allowed.join(", ")),
        405,
        "malformed",
        `${method} is not a method of this endpoint`,
      );
    });
  },
  { name: "errors" },
);
