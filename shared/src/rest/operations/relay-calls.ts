import { AccessChanges, AccessQuery } from "../access-changes.ts";
import { RelaySession, RelaySessionBody } from "../account.ts";
import { RelayAuditEntry } from "../admin.ts";
import { StorageState } from "../storage.ts";
import { ValveAccounts, ValveAccountsQuery } from "../valve-accounts.ts";
import type { Operation } from "./operation.ts";

// Calls of the relay itself, with the shared key in the header `relayKey`.

/** Extension `relay-session`. */
export const relaySession = {
  methods: ["POST"],
  path: "/api/v1/relay/session",
  body: RelaySessionBody,
  answer: RelaySession,
} as const satisfies Operation;

/** Extension `relay-audit`. */
export const relayAudit = {
  methods: ["POST"],
  path: "/api/v1/relay/audit",
  body: RelayAuditEntry,
  answer: null,
} as const satisfies Operation;

/** Extension `relay-storage`. */
export const relayStorage = {
  methods: ["GET"],
  path: "/api/v1/relay/storage",
  answer: StorageState,
} as const satisfies Operation;

/** Extension `relay-access`. */
export const relayAccess = {
  methods: ["GET"],
  path: "/api/v1/relay/access",
  query: AccessQuery,
  answer: AccessChanges,
} as const satisfies Operation;

/** Extension `relay-accounts`. */
export const relayAccounts = {
  methods: ["GET"],
  path: "/api/v1/relay/accounts",
  query: ValveAccountsQuery,
  answer: ValveAccounts,
} as const satisfies Operation;
