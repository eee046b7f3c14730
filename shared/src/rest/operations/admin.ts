import Type from "typebox";
import {
  AdminCluster,
  AuditEntry,
  AuditQuery,
  BackupState,
  CommandEntry,
  CommandLogQuery,
  ContactEntry,
  OutboxEntry,
  OwnerQuery,
  SignInEntry,
  SignInQuery,
} from "../admin.ts";
import {
  ChangePasswordBody,
  TrashedUser,
  UserEntry,
  UserQuery,
  UserRegisterBody,
  UserUpdateBody,
} from "../admin-user.ts";
import { Knock } from "../dead-letter.ts";
import { ImportProgress, ImportStarted } from "../import.ts";
import { PageOf, PageQuery, SearchQuery } from "../paging.ts";
import {
  AddedSensor,
  AdminSensor,
  AdminSensorAddBody,
  AdminSensorUpdateBody,
  FleetDevice,
} from "../sensor.ts";
import type { Operation } from "./operation.ts";

export const adminUsers = {
  methods: ["GET"],
  path: "/api/v1/admin/users",
  query: UserQuery,
  answer: Type.Union([Type.Array(UserEntry), PageOf(UserEntry)]),
} as const satisfies Operation;

export const adminUser = {
  methods: ["GET"],
  path: "/api/v1/admin/user/info/:id",
  answer: UserEntry,
} as const satisfies Operation;

const USER_CHANGES = ["sensor", "farm", "controller"] as const;

export const adminUserRegister = {
  methods: ["POST"],
  path: "/api/v1/admin/user/register",
  body: UserRegisterBody,
  answer: UserEntry,
  changes: USER_CHANGES,
} as const satisfies Operation;

export const adminUserUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/admin/user/update/:id",
  body: UserUpdateBody,
  answer: UserEntry,
  changes: USER_CHANGES,
  changesAccount: "id",
  ends: { of: "id", what: "change" },
} as const satisfies Operation;

export const adminChangePassword = {
  methods: ["PUT", "POST"],
  path: "/api/v1/admin/user/changepassword/:id",
  body: ChangePasswordBody,
  answer: null,
  changes: USER_CHANGES,
  changesAccount: "id",
  ends: { of: "id", what: "password" },
} as const satisfies Operation;

export const adminUserDelete = {
  methods: ["DELETE", "POST"],
  path: "/api/v1/admin/user/delete/:id",
  answer: null,
  changes: USER_CHANGES,
  changesAccount: "id",
  ends: { of: "id", what: "account" },
} as const satisfies Operation;

/** Deleted accounts that can still be restored (extension `trash`). */
export const adminTrash = {
  methods: ["GET"],
  path: "/api/v1/admin/trash",
  answer: Type.Array(TrashedUser),
} as const satisfies Operation;

export const adminUserRestore = {
  methods: ["POST"],
  path: "/api/v1/admin/user/restore/:id",
  answer: null,
  changes: USER_CHANGES,
  changesAccount: "id",
} as const satisfies Operation;

/**
 * Delete one device of an account in the trash for good, so that its serial can be registered again (extension
 * `free-serial`). The device has no connection, and no valve that it could close.
 */
export const adminSerialFree = {
  methods: ["DELETE"],
  path: "/api/v1/admin/trash/serial/:serial",
  answer: null,
} as const satisfies Operation;

const SENSOR_CHANGES = ["sensor", "farm"] as const;

export const adminSensors = {
  methods: ["GET"],
  path: "/api/v1/admin/sensors",
  query: SearchQuery,
  answer: Type.Union([Type.Array(AdminSensor), PageOf(AdminSensor)]),
} as const satisfies Operation;

export const adminSensorAdd = {
  methods: ["POST"],
  path: "/api/v1/admin/sensor/add",
  body: AdminSensorAddBody,
  answer: AddedSensor,
  changes: SENSOR_CHANGES,
} as const satisfies Operation;

export const adminSensorUpdate = {
  methods: ["PUT", "POST"],
  path: "/api/v1/admin/sensor/update",
  body: AdminSensorUpdateBody,
  answer: AdminSensor,
  changes: SENSOR_CHANGES,
} as const satisfies Operation;

export const adminSensorDelete = {
  methods: ["DELETE", "POST"],
  path: "/api/v1/admin/sensor/delete/:id",
  answer: null,
  changes: SENSOR_CHANGES,
  removes: { kind: "any-sensor", id: "id" },
} as const satisfies Operation;

/** All sensors and controllers (extension `admin-fleet`). */
export const adminDevices = {
  methods: ["GET"],
  path: "/api/v1/admin/devices",
  query: SearchQuery,
  answer: PageOf(FleetDevice),
} as const satisfies Operation;

/** The farms of an account (extension `admin-clusters`). */
export const adminClusters = {
  methods: ["GET"],
  path: "/api/v1/admin/clusters",
  query: OwnerQuery,
  answer: Type.Array(AdminCluster),
} as const satisfies Operation;

/** Unknown serials that have tried to connect (extension `dead-letters`). */
export const adminKnocks = {
  methods: ["GET"],
  path: "/api/v1/admin/knocks",
  answer: Type.Array(Knock),
} as const satisfies Operation;

/** Actions of administrators (extension `audit`). */
export const adminAudit = {
  methods: ["GET"],
  path: "/api/v1/admin/audit",
  query: AuditQuery,
  answer: PageOf(AuditEntry),
} as const satisfies Operation;

/** Commands of all accounts (extension `audit`). */
export const adminCommands = {
  methods: ["GET"],
  path: "/api/v1/admin/commands",
  query: CommandLogQuery,
  answer: PageOf(CommandEntry),
} as const satisfies Operation;

/** Messages of the contact form (extension `audit`). */
export const adminContacts = {
  methods: ["GET"],
  path: "/api/v1/admin/contacts",
  query: PageQuery,
  answer: PageOf(ContactEntry),
} as const satisfies Operation;

/** Attempts to sign in, successful and failed (extension `sign-ins`). */
export const adminSignIns = {
  methods: ["GET"],
  path: "/api/v1/admin/sign-ins",
  query: SignInQuery,
  answer: PageOf(SignInEntry),
} as const satisfies Operation;

/** Mails, sent and stored (extension `mail-outbox`). */
export const adminOutbox = {
  methods: ["GET"],
  path: "/api/v1/admin/outbox",
  secret: true,
  query: PageQuery,
  answer: PageOf(OutboxEntry),
} as const satisfies Operation;

/** Time of the newest backup (extension `backups`). */
export const adminBackups = {
  methods: ["GET"],
  path: "/api/v1/admin/backups",
  answer: BackupState,
} as const satisfies Operation;

/** Everything as one packed file. */
export const adminBackup = { methods: ["GET"], path: "/api/v1/admin/backup" } as const satisfies Operation;

/** Import readings from a CSV file, in multipart. */
export const importBegin = {
  methods: ["POST"],
  path: "/api/v1/admin/import",
  answer: ImportStarted,
  status: 202,
} as const satisfies Operation;

export const importProgress = {
  methods: ["GET"],
  path: "/api/v1/admin/import/:id",
  answer: ImportProgress,
} as const satisfies Operation;

export const importCancel = {
  methods: ["DELETE"],
  path: "/api/v1/admin/import/:id",
  answer: ImportProgress,
} as const satisfies Operation;
