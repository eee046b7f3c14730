import { type Static, Type } from "typebox";
import { Id } from "../schema/id.ts";
import { Instant } from "../schema/instant.ts";
import { Nullable } from "../schema/nullable.ts";
import { TextRecord } from "../schema/text-record.ts";
import { PageQuery } from "./paging.ts";

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
  before: Nullable(TextRecord(Type.Unknown())),
  after: Nullable(TextRecord(Type.Unknown())),
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Values as text; what there is none of is left out. */
const DeedValues = TextRecord(Type.String({ maxLength: 2_000 }), { maxProperties: 40 });

/**
 * Body of `POST /api/v1/relay/audit` (extension `relay-audit`, header `relayKey`): what an administrator did through
 * the relay, which the farm API would not hear of otherwise.
 */
export const RelayDeed = Type.Object({
  /** The administrator, as the relay knows them of their token. */
  actor: Type.Object({ id: Id, username: Type.String({ maxLength: 128 }) }),
  action: Type.Union([
    Type.Literal("account-read"),
    Type.Literal("display-pair"),
    Type.Literal("display-change"),
    Type.Literal("display-revoke"),
  ]),
  /** To whom or what; without `name` it is called as the account of that id is. */
  subject: Type.Object({
    kind: Type.Union([Type.Literal("user"), Type.Literal("display")]),
    id: Type.String({ minLength: 1, maxLength: 128 }),
    name: Type.Optional(Type.String({ maxLength: 128 })),
  }),
  before: Type.Optional(DeedValues),
  after: Type.Optional(DeedValues),
  at: Instant,
});
export type RelayDeed = Static<typeof RelayDeed>;

/** Which deeds or commands are asked for; times are UTC, the last one exclusive. */
const Narrowed = {
  ...PageQuery.properties,
  /** Text in the name of who did it, or of what it was done to. */
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
 * What became of a command, as far as the farm API knows: it did not go out, the broker has it, the device has
 * reported it, or (what a watering mode is told) it is stored.
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

/** A command as the farm API got it; names as they were then. */
export const CommandEntry = Type.Object({
  id: Type.Integer(),
  createdDate: Type.String(),
  /** In whose name. */
  actorId: Nullable(Id),
  actorName: Type.String(),
  /** The relay asked by itself, at the end of a run or of a sign-in. */
  byRelay: Type.Boolean(),
  /** Whose device. */
  userId: Nullable(Id),
  username: Type.String(),
  deviceId: Id,
  deviceName: Type.String(),
  channelNumber: Type.Integer(),
  command: Type.String(),
  payload: Type.String(),
  outcome: CommandOutcome,
  /** An error code where it was refused. */
  reason: Nullable(Type.String()),
  confirmedDate: Nullable(Type.String()),
});
export type CommandEntry = Static<typeof CommandEntry>;

/**
 * How an attempt to sign in ended. A name that no account has is not kept: it may be a password that was typed into
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
  /** Empty where there is no such account. */
  username: Type.String(),
  outcome: SignInOutcome,
  attempts: Type.Integer(),
  /** The client's network address. */
  address: Type.String(),
  /** The browser by its own words. */
  userAgent: Type.String(),
});
export type SignInEntry = Static<typeof SignInEntry>;

/** Answer of `GET /api/v1/admin/backups` (extension `backups`): the age of the newest backup that is kept. */
export const BackupState = Type.Object({
  /** Made nightly by the farm API; by the tools of a database elsewhere; or not at all. */
  kept: Type.Union([Type.Literal("nightly"), Type.Literal("own-tools"), Type.Literal("off")]),
  /** When the newest was made, in the API's zone; null where there is none. */
  newestDate: Nullable(Type.String()),
  /** How many are kept. */
  count: Type.Integer(),
  /** The newest, or the farm where there is none, is older than 48 hours. */
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
