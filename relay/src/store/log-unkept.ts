import type { Log } from "../ports/log.ts";
import { StoreUnavailableError } from "./errors.ts";

/**
 * Says that something could not be kept. That the store is away the node says once as it begins and once as it ends,
 * and the metrics count; what each account finds meanwhile, second by second, is told at `debug` alone.
 */
export function logUnkept(
  log: Log,
  level: "warn" | "error",
  fields: { readonly err: unknown } & Readonly<Record<string, unknown>>,
  message: string,
): void {
  log[fields.err instanceof StoreUnavailableError ? "debug" : level](fields, message);
}
