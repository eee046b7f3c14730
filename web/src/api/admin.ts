import {
  AuditEntry,
  BackupState,
  CommandEntry,
  ContactEntry,
  OutboxEntry,
  SignInEntry,
} from "@mulkko/shared/rest/admin";
import { Knock } from "@mulkko/shared/rest/dead-letter";
import { OddFields } from "@mulkko/shared/rest/odd-fields";
import {
  adminAudit,
  adminBackups,
  adminCommands,
  adminContacts,
  adminKnocks,
  adminOutbox,
  adminSignIns,
} from "@mulkko/shared/rest/operations/admin";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import { get, type RestClient } from "./client.ts";

/** Fetch connection attempts of unregistered devices, for administrators (extension `dead-letters`). */
export const fetchKnocks = (rest: RestClient, signal: AbortSignal) =>
  get(rest, adminKnocks.path, Type.Array(Knock), signal);

/**
 * Administrators' actions, commands on all accounts and messages written to them (extension `audit`); newest
 * first.
 */
export const AUDIT_ENTRIES = { path: adminAudit.path, row: AuditEntry } as const;
export const COMMANDS = { path: adminCommands.path, row: CommandEntry } as const;
export const CONTACTS = { path: adminContacts.path, row: ContactEntry } as const;

/** Mails to users (with extension `audit`); without a mail server an administrator passes them on. */
export const MAILS = { path: adminOutbox.path, row: OutboxEntry } as const;

/** Successful and failed sign-in attempts (extension `sign-ins`); newest first. */
export const SIGN_INS = { path: adminSignIns.path, row: SignInEntry } as const;

/** Fetch the time of the newest backup, for administrators (extension `backups`); it is in the API's zone. */
export const fetchBackupState = (rest: RestClient, signal: AbortSignal) =>
  get(rest, adminBackups.path, BackupState, signal);

/** Fetch the fields that the farm API sends in an unexpected format, for administrators. */
export const fetchOddFields = (rest: RestClient, signal: AbortSignal) =>
  get(rest, relayPath.oddFields, OddFields, signal);
