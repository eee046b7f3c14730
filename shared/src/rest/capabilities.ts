import { type Static, Type } from "typebox";

/** Names under which an API announces what it offers beyond the plain contract. */
export const EXTENSIONS = [
  "relay-session",
  "relay-audit",
  "relay-storage",
  "sessions",
  "mqtt-out",
  "devices",
  "mode-enable",
  "idempotent-cmd",
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
] as const;
export type Extension = (typeof EXTENSIONS)[number];

/** Answer of `GET /api/v1/capabilities`; names nobody knows are left alone. */
export const Capabilities = Type.Object({ extensions: Type.Array(Type.String()) });
export type Capabilities = Static<typeof Capabilities>;
