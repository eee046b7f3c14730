import { type Static, Type } from "typebox";

/** The body of every error answer, of the farm API and of the relay. */
export const ErrorBody = Type.Object({
  status: Type.Integer(),
  /** The status in words, e.g. "Not Found". */
  error: Type.String(),
  /** Error code for programs; see {@link ErrorCode}. */
  code: Type.String(),
  message: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), defaultMessage: Type.String() }))),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** Codes of our own servers; the client translates each into three languages. */
export const ERROR_CODES = [
  "malformed",
  "unauthorized",
  "invalid-credentials",
  "forbidden",
  "account-disabled",
  "not-found",
  "conflict",
  "changed-meanwhile",
  "in-trash",
  "device-limit",
  "too-large",
  "validation",
  "too-many-requests",
  "internal",
  "broker-down",
  "database-down",
  "upstream-down",
  "store-down",
  "controller-offline",
  "command-conflict",
  "command-expired",
  "command-withdrawn",
  "other-account",
  "valve-open",
  "run-too-long",
  "run-outlives-session",
  "bad-message",
  "unknown-protocol",
  "token-expired",
  /** The session was ended on purpose: on another device, by a new password or an administrator. */
  "session-ended",
  "display-revoked",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];
