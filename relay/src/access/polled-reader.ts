import type { Static, TSchema } from "typebox";
import type { CallLimits, UpstreamClient } from "../upstream/client.ts";
import { UpstreamStatusError } from "../upstream/errors.ts";
import type { UpstreamLimiter } from "../upstream/upstream-limiter.ts";
import type { Credential, Credentials } from "./credentials.ts";
import type { TokenProver } from "./token-prover.ts";

/** Options of a poll: priority, query, limits. */
export interface Asking {
  readonly urgent: boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly limits?: CallLimits;
}

/** Polls through the limiter, each with the best credential available. All reject with an `UpstreamError`. */
export interface PolledReader {
  get<S extends TSchema>(unit: string, path: string, schema: S, asking: Asking): Promise<Static<S>>;
}

interface PolledReaderDeps {
  readonly client: UpstreamClient;
  readonly limiter: UpstreamLimiter;
  readonly credentials: Credentials;
  readonly prover: Pick<TokenProver, "reject">;
  /** Aborted when the poll's subject is released. */
  readonly signal: AbortSignal;
}

const isAccessError = (error: unknown): boolean => error instanceof UpstreamStatusError && error.isAccess;

export function createPolledReader(deps: PolledReaderDeps): PolledReader {
  const { client, limiter, credentials, prover, signal } = deps;

  const rejected = (credential: Credential, error: unknown): void => {
    if (!(error instanceof UpstreamStatusError) || error.status !== 401) return;
    credentials.drop(credential);
    // AUTH-4: the viewer's sessions end with the token.
    if (credential.kind === "viewer") prover.reject(credential.token);
  };
  const get: PolledReader["get"] = (unit, path, schema, { urgent, ...how }) =>
    credentials.use(
      (credential) =>
        limiter
          .pass(() => client.get(path, schema, { token: credential.token, unit, signal, ...how }), { urgent })
          .catch((error: unknown) => {
            rejected(credential, error);
            throw error;
          }),
      isAccessError,
    );
  return { get };
}
