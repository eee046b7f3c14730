import type { Extension } from "@mulkko/shared/rest/capabilities";
import type { Static, TSchema } from "typebox";

/** Extensions of the farm API beyond the plain contract; none until it has answered. */
export interface CapabilitySource {
  readonly extensions: readonly string[];
  has(extension: Extension): boolean;
  /** Subscribe to changes. Return the unsubscribe function. */
  listen(listener: () => void): () => void;
}

/**
 * Reads the farm API by GET and validates every answer. Rejects with an `UpstreamError`
 * (`upstream/errors.ts`).
 */
export interface UpstreamReader {
  get<S extends TSchema>(
    path: string,
    schema: S,
    options?: { token?: string; limitBytes?: number; signal?: AbortSignal },
  ): Promise<Static<S>>;
}
