import type { ProvenAccount } from "../ports/tokens.ts";

/** A value that nobody knows counts as USER. */
export const isAdministrator = ({ account }: ProvenAccount): boolean => account.userType === "ADMIN";

/** HS-2: reading as somebody else is written down here, and by a farm API that takes it (`AuditTrail`). */
export const READ_AS = "an administrator reads another account";
