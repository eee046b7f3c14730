import { AuditEntry, CommandEntry, ContactEntry, SignInEntry } from "@mulkko/shared/rest/admin";
import { apiPath } from "@mulkko/shared/rest/routes";

/**
 * Administrators' actions, commands on all accounts and messages written to them (extension `audit`); newest
 * first.
 */
export const DEEDS = { path: apiPath.adminAudit, row: AuditEntry } as const;
export const COMMANDS = { path: apiPath.adminCommands, row: CommandEntry } as const;
export const CONTACTS = { path: apiPath.adminContacts, row: ContactEntry } as const;

/** Successful and failed sign-in attempts (extension `sign-ins`); newest first. */
export const SIGN_INS = { path: apiPath.adminSignIns, row: SignInEntry } as const;
