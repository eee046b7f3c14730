import type { Actor } from "@mulkko/shared/live/devices";
import { FOR_ACCOUNT } from "@mulkko/shared/rest/command";
import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import type { FastifyRequest } from "fastify";
import type { ProofFailure, ProvenAccount, TokenProofs } from "../access/token-prover.ts";
import { isDisplayToken } from "../store/display-codes.ts";
import { RelayError } from "./relay-error.ts";

/** Return the token of an `Authorization: Bearer …` header; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+)$/i.exec(header ?? "")?.[1];
}

/** The caller, proven by the farm API, with the token of the call. */
export interface Caller {
  readonly account: ProvenAccount;
  readonly token: string;
}

/**
 * `remembered`: a cached proof of the last minutes suffices. `asked`: ask the farm API now.
 * `asked-if-possible`: the same, but a cached proof counts while the API is unavailable, for urgent calls.
 */
export type Trust = "remembered" | "asked" | "asked-if-possible";

const READS = ["GET", "HEAD"];

/**
 * Return the account of a call's bearer token (AUTH-3). For a call that changes something the farm API is
 * asked first, because the effect outlives the token (AUTH-5).
 *
 * @throws RelayError 401 without a token or with one that is not accepted, 403 for a disabled account, 409
 * for a command pressed in another account, 503 if the farm API cannot be asked
 */
export async function callerOf(
  request: FastifyRequest,
  prover: TokenProofs,
  trust: Trust = READS.includes(request.method) ? "remembered" : "asked",
): Promise<Caller> {
  const token = tokenOf(request);
  // A display's token belongs to no person, and is never sent to the farm API.
  const isRemembered = trust === "remembered" || isDisplayToken(token);
  const proof = await (isRemembered
    ? prover.prove(token)
    : prover.proveAgain(token, trust === "asked-if-possible"));
  if (!proof.ok) throw refusalOf(proof.failure);
  const pressedIn = request.headers[FOR_ACCOUNT];
  if (pressedIn !== undefined && pressedIn !== proof.proven.accountId) {
    throw new RelayError(409, "other-account", "the command was pressed in another account");
  }
  return { account: proof.proven, token };
}

export const noToken = (): RelayError => new RelayError(401, "unauthorized", "a bearer token is required");

/** @throws RelayError 401 */
export function tokenOf(request: FastifyRequest): string {
  const token = bearerOf(request.headers.authorization);
  if (token === undefined) throw noToken();
  return token;
}

export function actorOf({ account }: ProvenAccount): Actor {
  return { id: account.id, nickname: account.nickname || account.username };
}

/** Return the origin that a browser sends; a call without one comes from a program. */
export function originOf(request: FastifyRequest): string {
  return request.headers["sec-fetch-mode"] === undefined ? "api" : "screen";
}

export function refusalOf(failure: ProofFailure): RelayError {
  switch (failure.kind) {
    case "rejected":
      return new RelayError(401, "unauthorized", "token not accepted");
    case "disabled":
      return new RelayError(403, "account-disabled", "the account is disabled");
    case "upstream-down":
      return new RelayError(503, "upstream-down", "the farm API is unavailable");
  }
}

/** Return true for an administrator. An unknown role counts as USER. */
export const isAdministrator = ({ account }: ProvenAccount): boolean => account.userType === "ADMIN";

/** HS-2: log message for reading another account. A farm API with an `AuditTrail` records it too. */
export const READ_AS = "administrator reads another account";

/** Sorted ids of the farms that a display shows; null: all farms, and state without a farm. */
export type FarmChoice = readonly string[] | null;

/** Access granted by a display's token: reading, within its farms (HS-2). */
export interface DisplayGrant {
  readonly id: string;
  readonly name: string;
  /** Account of the farms; without a role, whatever the account's role is. */
  readonly account: ProvenAccount;
  readonly farms: FarmChoice;
  readonly scope: DisplaySettings["scope"];
  /** An administrator approved it, and its pages include `fleet`. */
  readonly mayFleet: boolean;
}
