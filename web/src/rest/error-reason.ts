import { ApiError, errorCode } from "./errors.ts";

/**
 * Return the reason of a failed call for `labels.error`, in the format of a valve command's reason. It is the
 * error's code, or the text of a farm API without codes.
 */
export const errorReason = (error: unknown): string =>
  error instanceof ApiError ? error.reason : errorCode(error);
