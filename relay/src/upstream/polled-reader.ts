import { Nullable } from "@mulkko/shared/schema/nullable";
import { parse } from "@mulkko/shared/schema/parse";
import Type, { type Static, type TSchema } from "typebox";
import type { Log } from "../ports/log.ts";
import type { TokenProver } from "../ports/tokens.ts";
import type { UpstreamClient } from "./client.ts";
import type { Credential, Credentials } from "./credentials.ts";
import { UpstreamStatusError } from "./errors.ts";
import type { Gate } from "./gate.ts";

/** How a poll is asked: ahead of the others, with a query, with room for a large answer. */
export interface Asking {
  readonly urgent: boolean;
  readonly query?: Readonly<Record<string, string>>;
  readonly limitBytes?: number;
}

/** Polls through the gate, each with the best credential that there is. All reject with an `UpstreamError`. */
export interface PolledReader {
  get<S extends TSchema>(unit: string, path: string, schema: S, asking: Asking): Promise<Static<S>>;
  list<S extends TSchema>(unit: string, path: string, schema: S, asking: Asking): Promise<Static<S>[]>;
  /** Rows that are not as agreed are left out, so that one of them does not hide the others. */
  rowsOf<S extends TSchema>(unit: string, schema: S, rows: readonly unknown[]): Static<S>[];
}

export interface PolledReaderParts {
  readonly client: UpstreamClient;
  readonly gate: Gate;
  readonly credentials: Credentials;
  readonly prover: Pick<TokenProver, "reject">;
  readonly log: Log;
  /** Aborted when what is polled for is given up. */
  readonly signal: AbortSignal;
}

const isAccessError = (error: unknown): boolean => error instanceof UpstreamStatusError && error.isAccess;

const Rows = Nullable(Type.Array(Type.Unknown()));

export function createPolledReader(parts: PolledReaderParts): PolledReader {
  const { client, gate, credentials, prover, log, signal } = parts;

  const rejected = (credential: Credential, error: unknown): void => {
    if (!(error instanceof UpstreamStatusError) || error.status !== 401) return;
    credentials.drop(credential);
    // AUTH-4: the viewer's sessions end with the token.
    if (credential.kind === "viewer") prover.reject(credential.token);
  };
  const get: PolledReader["get"] = (unit, path, schema, { urgent, ...how }) =>
    credentials.use(
      (credential) =>
        gate
          .pass(() => client.get(path, schema, { token: credential.token, unit, signal, ...how }), { urgent })
          .catch((error: unknown) => {
            rejected(credential, error);
            throw error;
          }),
      isAccessError,
    );
  const rowsOf: PolledReader["rowsOf"] = (unit, schema, rows) =>
    rows.flatMap((row) => {
      const parsed = parse(schema, row);
      if (parsed.ok) return [parsed.value];
      log.warn({ unit, path: parsed.path, reason: parsed.message }, "a row of the farm API was left out");
      return [];
    });
  return {
    get,
    rowsOf,
    list: async (unit, path, schema, asking) =>
      rowsOf(unit, schema, (await get(unit, path, Rows, asking)) ?? []),
  };
}
