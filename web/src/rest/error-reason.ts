import { ApiError, errorCode } from "./errors.ts";

/**
 * Why a call failed, in the one text that a valve's command has for it too, for `labels.error`: the error's code, or
 * the sentence of a farm API that has no codes.
 */
export const errorReason = (error: unknown): string =>
  error instanceof ApiError ? error.reason : errorCode(error);
