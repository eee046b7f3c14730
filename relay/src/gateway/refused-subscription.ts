import type { ErrorCode } from "@mulkko/shared/rest/errors";
import type { Subscribed } from "./subscriptions.ts";

/** What a client hears of a stream that it may not subscribe, or not so soon; null where it has it. */
export function refusedSubscription(
  subscribed: Subscribed,
): [code: ErrorCode, message: string, temporary: boolean] | null {
  switch (subscribed) {
    case "ok":
      return null;
    case "too-soon":
      return ["too-many-requests", "tracked keys change at most once a second", true];
    case "forbidden":
      return ["forbidden", "for administrators only", false];
    case "unknown":
      return ["not-found", "another account has no such stream", false];
  }
}
