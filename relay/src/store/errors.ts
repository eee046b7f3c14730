/** The store cannot keep what it was given: disk full, file gone. What was asked has not been done. */
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
