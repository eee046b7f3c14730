import type { ProvenAccount } from "../upstream/tokens.ts";

/** Return true for an administrator. An unknown role counts as USER. */
export const isAdministrator = ({ account }: ProvenAccount): boolean => account.userType === "ADMIN";

/** HS-2: log message for reading another account. A farm API with an `AuditTrail` records it too. */
export const READ_AS = "administrator reads another account";
