import { type Static, Type } from "typebox";

/** Names of the extensions that an API offers beyond the plain contract. */
export const EXTENSIONS = [
  "relay-session",
  "relay-audit",
  "relay-storage",
  "relay-access",
  /** Lists the accounts with valves for the relay, which watches them. */
  "relay-accounts",
  "sessions",
  "mqtt-out",
  "devices",
  "mode-enable",
  "idempotent-cmd",
  "idempotent-create",
  "timed-run",
  "log-buckets",
  "latest-bulk",
  "noti-read",
  "controller-farm",
  "controller-image",
  "drivers",
  "admin-fleet",
  "fleet-presence",
  "admin-clusters",
  "audit",
  /** No mail server is configured: the administrators read every mail in the outbox. */
  "mail-outbox",
  "sign-ins",
  "own-password",
  "backups",
  "versions",
  "trash",
  "free-serial",
  "dead-letters",
  /** An existing farm accepts a changed description. */
  "farm-description",
  /** A new account may be created as an administrator. */
  "user-role",
  /** Administrators' calls store a sensor's crop. */
  "admin-crops",
  /** A forgotten password is reset by a mailed link. */
  "password-mail",
] as const;
export type Extension = (typeof EXTENSIONS)[number];

/** Answer of `GET /api/v1/capabilities`; unknown names are ignored. */
export const Capabilities = Type.Object({ extensions: Type.Array(Type.String()) });
export type Capabilities = Static<typeof Capabilities>;
