import type { Log } from "../runtime/log.ts";
import { StoreUnavailableError } from "./errors.ts";

/**
 * Return a handler that logs the error of a failed write. The node logs the beginning and the end of an
 * outage once, and metrics count it. Failures of single accounts during the outage are logged at `debug` only.
 */
export const notPersisted =
  (
    log: Log,
    level: "warn" | "error",
    fields: { readonly event: string; readonly [field: string]: unknown },
    message: string,
  ) =>
  (err: unknown): void =>
    log[err instanceof StoreUnavailableError ? "debug" : level]({ ...fields, err }, message);
