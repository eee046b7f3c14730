import type { Log } from "../runtime/log.ts";
import { StoreUnavailableError } from "./errors.ts";

/**
 * Log that a write failed. The node logs the beginning and the end of an outage once, and metrics count it.
 * Failures of single accounts during the outage are logged at `debug` only.
 */
export function logNotPersisted(
  log: Log,
  level: "warn" | "error",
  fields: { readonly err: unknown } & Readonly<Record<string, unknown>>,
  message: string,
): void {
  log[fields.err instanceof StoreUnavailableError ? "debug" : level](fields, message);
}
