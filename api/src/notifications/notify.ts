import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Queryable } from "../database/database.ts";
import type { Outputs } from "../ingest/outputs.ts";
import { insertNotification, type NewNotification } from "./repository.ts";

/** Store a notification and send it to subscribers. */
export async function notify(
  parts: { readonly database: Queryable; readonly outputs: Outputs; readonly zone: ApiTimeZone },
  notification: NewNotification,
): Promise<void> {
  const stored = await insertNotification(parts.database, parts.zone, notification);
  parts.outputs.notification(notification.accountId, stored);
}
