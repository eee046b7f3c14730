import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Nullable } from "../schema/nullable.ts";

/** One thing that an administrator did; passwords and keys are never among the values. */
export const AuditEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  /** Who. */
  actorId: Nullable(Id),
  actorName: Type.String(),
  /** What, e.g. `user-update`. */
  action: Type.String(),
  /** Whom or what, as it was called then. */
  subjectKind: Type.String(),
  subjectId: Type.String(),
  subjectName: Type.String(),
  /** The changed values; null where there were none. */
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** A message of the contact form. */
export const ContactEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  userId: Id,
  username: Type.String(),
  name: Type.String(),
  title: Type.String(),
  message: Type.String(),
});
export type ContactEntry = Static<typeof ContactEntry>;

/** A mail: on its way, gone, given up, or kept here as there is no mail server. */
export const OutboxEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  /** Empty once it is sent. */
  body: Type.String(),
  state: Type.Union((["waiting", "sent", "failed", "kept"] as const).map((state) => Type.Literal(state))),
  error: Nullable(Type.String()),
});
export type OutboxEntry = Static<typeof OutboxEntry>;

/** A farm in an administrator's list. */
export const AdminCluster = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  userId: Id,
});
export type AdminCluster = Static<typeof AdminCluster>;

export const OwnerQuery = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 64 }) });
