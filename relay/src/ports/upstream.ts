import type { Extension } from "@mulkko/shared/rest/capabilities";
import type { Static, TSchema } from "typebox";

/** What the farm API offers beyond the plain contract; none until it has answered. */
export interface CapabilitySource {
  readonly extensions: readonly string[];
  has(extension: Extension): boolean;
  /** Called with each change. Returns how to stop. */
  listen(listener: () => void): () => void;
}

/** Reading the farm API by GET, every answer checked. Rejects with an `UpstreamError` (`upstream/errors.ts`). */
export interface UpstreamReader {
  get<S extends TSchema>(
    path: string,
    schema: S,
    options?: { token?: string; limitBytes?: number; signal?: AbortSignal },
  ): Promise<Static<S>>;
}
