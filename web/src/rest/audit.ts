import { AuditEntry, CommandEntry, ContactEntry, SignInEntry } from "@mulkko/shared/rest/admin";
import { apiPath } from "@mulkko/shared/rest/routes";

/** What administrators did, what was commanded on all accounts, what was written to them (extension `audit`); newest first. */
export const DEEDS = { path: apiPath.adminAudit, row: AuditEntry } as const;
export const COMMANDS = { path: apiPath.adminCommands, row: CommandEntry } as const;
export const CONTACTS = { path: apiPath.adminContacts, row: ContactEntry } as const;

/** Attempts to sign in, right and wrong (extension `sign-ins`); newest first. */
export const SIGN_INS = { path: apiPath.adminSignIns, row: SignInEntry } as const;
