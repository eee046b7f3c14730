import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";
import { PageQuery } from "./paging.ts";

/** One action of an administrator; passwords and keys are never among the values. */
export const AuditEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  /** The administrator. */
  actorId: Nullable(Id),
  actorName: Type.String(),
  /** The action, e.g. `user-update`. */
  action: Type.String(),
  /** The account or thing that was changed, with its name at that time. */
  subjectKind: Type.String(),
  subjectId: Type.String(),
  subjectName: Type.String(),
  /** The changed values; null without any. */
  before: Nullable(TextRecord(Type.Unknown())),
  after: Nullable(TextRecord(Type.Unknown())),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Values as text; an absent value is left out. */
const AuditValues = TextRecord(Type.String({ maxLength: 2_000 }), { maxProperties: 40 });

/**
 * Body of `POST /api/v1/relay/audit` (extension `relay-audit`, header `relayKey`): an administrator's action
 * through the relay, which is otherwise unknown to the farm API.
 */
export const RelayAuditEntry = Type.Object({
  /** The administrator, as the relay knows them from their token. */
  actor: Type.Object({ id: Id, username: Type.String({ maxLength: 128 }) }),
  action: Type.Union([
    Type.Literal("account-read"),
    Type.Literal("display-pair"),
    Type.Literal("display-change"),
    Type.Literal("display-revoke"),
    /** A valve of another account (CMD-21); `after` has the valve, the command's id and the reason. */
    Type.Literal("valve-close"),
  ]),
  /** The account or thing that was changed; without `name` it is named after the account of that id. */
  subject: Type.Object({
    kind: Type.Union([Type.Literal("user"), Type.Literal("display")]),
    id: Type.String({ minLength: 1, maxLength: 128 }),
    name: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  before: Type.Optional(AuditValues),
  after: Type.Optional(AuditValues),
  at: Instant,
});
export type RelayAuditEntry = Static<typeof RelayAuditEntry>;

/** Query of the audit and command logs; times are UTC, the last one exclusive. */
const Narrowed = {
  ...PageQuery.properties,
  /** Text in the name of the administrator, or of the account or thing that was changed. */
  q: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};

/** Query of `GET /api/v1/admin/audit`. */
export const AuditQuery = Type.Object({
  ...Narrowed,
  /** A `subjectKind`. */
  kind: Type.Optional(Type.String({ maxLength: 40 })),
});
export type AuditQuery = Static<typeof AuditQuery>;

/**
 * State of a command, as far as the farm API knows: not sent, accepted by the broker, reported by the device,
 * or (for a watering mode's settings) stored.
 */
const CommandOutcome = Type.Union([
  Type.Literal("refused"),
  Type.Literal("taken"),
  Type.Literal("confirmed"),
  Type.Literal("stored"),
]);

/** Query of `GET /api/v1/admin/commands`. */
export const CommandLogQuery = Type.Object({ ...Narrowed, outcome: Type.Optional(CommandOutcome) });
export type CommandLogQuery = Static<typeof CommandLogQuery>;

/** A command as the farm API received it; names are those of that time. */
export const CommandEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  /** The account on whose behalf it was sent. */
  actorId: Nullable(Id),
  actorName: Type.String(),
  /** The relay sent it by itself, at the end of a run or of a sign-in. */
  byRelay: Type.Boolean(),
  /** The device's account. */
  userId: Nullable(Id),
  username: Type.String(),
  deviceId: Id,
  deviceName: Type.String(),
  channelNumber: Type.Integer(),
  command: Type.String(),
  payload: Type.String(),
  outcome: CommandOutcome,
  /** An error code if it was refused. */
  reason: Nullable(Type.String()),
  confirmedDate: Nullable(Type.String()),
});
export type CommandEntry = Static<typeof CommandEntry>;

/**
 * Result of an attempt to sign in. An unknown name is not stored: it may be a password that was typed into
 * the wrong field.
 */
const SignInOutcome = Type.Union([
  Type.Literal("signed-in"),
  Type.Literal("wrong-password"),
  Type.Literal("unknown-name"),
  Type.Literal("disabled"),
]);

/** Query of `GET /api/v1/admin/sign-ins`. */
export const SignInQuery = Type.Object({ ...Narrowed, outcome: Type.Optional(SignInOutcome) });
export type SignInQuery = Static<typeof SignInQuery>;

/** An attempt to sign in; failures of one address and name within ten minutes are one entry. */
export const SignInEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  userId: Nullable(Id),
  /** Empty if the account does not exist. */
  username: Type.String(),
  outcome: SignInOutcome,
  attempts: Type.Integer(),
  /** The client's network address. */
  address: Type.String(),
  /** The browser's `User-Agent`. */
  userAgent: Type.String(),
});
export type SignInEntry = Static<typeof SignInEntry>;

/** Answer of `GET /api/v1/admin/backups` (extension `backups`): the age of the newest stored backup. */
export const BackupState = Type.Object({
  /** Nightly by the farm API, by the tools of an external database, or none. */
  kept: Type.Union([Type.Literal("nightly"), Type.Literal("own-tools"), Type.Literal("off")]),
  /** Time of the newest backup, in the API's zone; null without one. */
  newestDate: Nullable(Type.String()),
  /** Number of stored backups. */
  count: Type.Integer(),
  /** True if the newest backup, or without one the farm, is older than 48 hours. */
  overdue: Type.Boolean(),
});
export type BackupState = Static<typeof BackupState>;

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

/** A mail: queued, sent, given up, or stored here without a mail server. */
export const OutboxEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  /** Empty once it is sent. */
  body: Type.String(),
  state: Type.Union([
    Type.Literal("waiting"),
    Type.Literal("sent"),
    Type.Literal("failed"),
    Type.Literal("kept"),
  ]),
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
