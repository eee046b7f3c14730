/**
 * The store cannot keep what it was given: disk full, file gone, Redis away. What was asked has not been done, or
 * (after a time-out) nobody knows.
 */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  readonly code = "store-down";
  readonly temporary = true;
}

/** Somebody else owns the account by now (NODE-5): nothing was written, and the owner gives it up. */
export class StaleOwnerError extends Error {
  override readonly name = "StaleOwnerError";
  readonly temporary = false;
}

/** What is stored was written by a newer version of the relay (NODE-6); the message says what to do. */
export class NewerSchemaError extends Error {
  override readonly name = "NewerSchemaError";
}
