import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";

/** Return the account's time zone; the API's zone when the account has none or names an unknown one. */
export function accountZone(timezone: string | null | undefined, apiTimezone: string): ApiTimeZone {
  try {
    return createApiTimeZone(timezone || apiTimezone);
  } catch {
    return createApiTimeZone(apiTimezone);
  }
}
