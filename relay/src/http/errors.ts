import { Readable } from "node:stream";
import type { ErrorBody, ErrorCode } from "@mulkko/shared/rest/errors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { fieldErrorsOf } from "@mulkko/shared/server/field-errors";
import { type ValueFault, valueFault } from "@mulkko/shared/server/value-fault";
import type { FastifyError, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import type { TokenProofs } from "../access/token-prover.ts";
import { type NoPlace, NoPlaceError } from "../runtime/places.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { NoAccessError, UpstreamError, UpstreamStatusError } from "../upstream/errors.ts";
import { callerOf } from "./caller.ts";
import { invalidField, RelayError, sendError } from "./relay-error.ts";
import { CutBodyError } from "./whole-body.ts";

/** The relay's own calls without a token. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set([
  ...[relayPath.config, relayPath.asyncApi, relayPath.displayCodes, relayPath.displayToken],
]);

/** The relay's own calls, and those that command a valve, are checked by the relay. */
const needsToken = ({ routeOptions: { url = "" }, farmCall }: FastifyRequest): boolean =>
  farmCall?.operation?.commands !== undefined || (url.startsWith("/relay/") && !WITHOUT_TOKEN.has(url));

interface ErrorsOptions {
  /** Absent where no call needs a token. */
  readonly prover?: TokenProofs;
}

/** The error handler of the relay's own routes, and `x-request-id` on every answer. */
export const errorsPlugin = fp<ErrorsOptions>(
  async (app, { prover }) => {
    app.addHook("onSend", async (request, reply) => {
      reply.header("x-request-id", request.id);
    });

    // Limits of schemas do not see a number that the parser made infinite.
    const refuse = (fault: ValueFault | null): void => {
      if (fault?.kind === "too-deep") throw new RelayError(400, "malformed", "the body has too many levels");
      if (fault) throw invalidField(fault.field, "is too large");
    };
    // Whatever else is wrong with such a body. A query has its numbers after the validation.
    app.addHook("preValidation", async ({ body }) =>
      refuse(body instanceof Readable ? null : valueFault(body)),
    );
    app.addHook("preHandler", async ({ query }) => refuse(valueFault(query)));

    app.setErrorHandler(async (thrown, request, reply) => {
      if (reply.sent) return reply;
      const error = await graverOf(thrown, request);
      // The caller has disconnected, and its work was cancelled: this is not a fault.
      if (reply.raw.destroyed) return sendError(reply, 408, "internal", "the client has disconnected");
      if (error instanceof RelayError) {
        return sendError(reply, error.status, error.code, error.message, error.errors);
      }
      if (error instanceof CutBodyError) return sendError(reply, 408, "internal", error.message);
      if (error instanceof NoPlaceError) {
        const { status, code, message } = NO_PLACE_ANSWERS[error.reason];
        request.log.info({ event: "no-place", reason: error.reason }, "refused request without a place");
        return sendError(reply.header("retry-after", RETRY_AFTER_S), status, code, message);
      }
      if (error instanceof StoreUnavailableError) {
        request.log.warn({ event: "store-failed", err: error }, "store failed to serve the request");
        return sendError(reply, 503, "store-down", "the relay's store is unavailable");
      }
      if (error instanceof UpstreamError) {
        const { status, code, message } = answerFor(error);
        request.log.warn({ event: "upstream-failed", err: error }, "farm API failed to serve the request");
        return sendError(reply, status, code, message);
      }
      const known = isFastifyError(error) ? answerForFastify(error) : null;
      if (known) return sendError(reply, known.status, known.code, known.message, known.errors);
      request.log.error({ event: "request-failed", err: error }, "request failed");
      return sendError(reply, 500, "internal", "internal error; see the log of the relay");
    });

    /** Callers without a valid token do not read what is wrong with their call. A display has been checked before. */
    async function graverOf(error: unknown, request: FastifyRequest): Promise<unknown> {
      const isInvalid =
        error instanceof RelayError
          ? error.status === 422
          : isFastifyError(error) && error.validation !== undefined;
      if (!prover || !isInvalid || !needsToken(request) || request.display !== null) return error;
      return callerOf(request, prover, "remembered").then(
        () => error,
        (refusal: unknown) => refusal,
      );
    }
  },
  { name: "errors", fastify: "5.x" },
);

interface Answer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: ErrorBody["errors"];
}

/** Time after which a request without a place may be tried again, s. */
const RETRY_AFTER_S = "5";

const NO_PLACE_ANSWERS: Readonly<Record<NoPlace, Answer>> = {
  "share-used": { status: 429, code: "too-many-requests", message: "too many requests at once" },
  "pool-full": { status: 503, code: "upstream-down", message: "too many requests of all callers at once" },
  "caller-gone": { status: 408, code: "internal", message: "the client has disconnected" },
};

const UPSTREAM_ANSWERS: ReadonlyMap<number, Answer> = new Map([
  [401, { status: 401, code: "unauthorized", message: "token not accepted" }],
  [403, { status: 403, code: "forbidden", message: "not allowed" }],
  [404, { status: 404, code: "not-found", message: "not found" }],
]);

/** Return the answer for a fault of the farm API, or for its refusal of the caller's token. */
function answerFor(error: UpstreamError): Answer {
  const answer = error instanceof UpstreamStatusError ? UPSTREAM_ANSWERS.get(error.status) : undefined;
  if (answer) return answer;
  if (error instanceof NoAccessError) return { status: 403, code: "forbidden", message: "no access" };
  return { status: 503, code: "upstream-down", message: "the farm API is unavailable" };
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && ("code" in error || "statusCode" in error);

function answerForFastify(error: FastifyError): Answer | null {
  if (error.validation) {
    const errors = fieldErrorsOf(error.validation);
    return { status: 422, code: "validation", message: "some fields are not valid", errors };
  }
  const { statusCode } = error;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return null;
  if (statusCode === 413) return { status: 413, code: "too-large", message: "the body is too large" };
  if (statusCode === 429) return { status: 429, code: "too-many-requests", message: "too many requests" };
  if (statusCode === 404) return { status: 404, code: "not-found", message: "not found" };
  return { status: statusCode, code: "malformed", message: "the request is malformed" };
}
