import type { Log } from "../runtime/log.ts";

/**
 * The store cannot write: disk full, file gone, Redis away. The write was not done, or, after a time-out, its
 * outcome is unknown.
 */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  readonly code = "store-down";
  readonly temporary = true;
}

/**
 * Another node owns the account by now (NODE-5). Nothing was written, and this owner gives the account up.
 */
export class StaleOwnerError extends Error {
  override readonly name = "StaleOwnerError";
  readonly temporary = false;
}

/** A newer version of the relay wrote the stored data (NODE-6). The message names the remedy. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}

/** The relay's own store cannot be read; the message is a sentence for the operator. */
export class DamagedStoreError extends Error {
  override readonly name = "DamagedStoreError";
}

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
