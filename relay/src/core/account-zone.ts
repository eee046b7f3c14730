import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";

/** The account's time zone; the API's where it has none, or one that is not known here. */
export function accountZone(timezone: string | null | undefined, apiTimezone: string): ApiTimeZone {
  try {
    return createApiTimeZone(timezone || apiTimezone);
  } catch {
    return createApiTimeZone(apiTimezone);
  }
}
