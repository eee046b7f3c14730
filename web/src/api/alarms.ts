import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

type Id = string | number;

/** Fetch ended alarms, newest first. */
export function fetchPastAlarms(rest: RestClient, page: number, signal: AbortSignal): Promise<AlarmPage> {
  const path = `${relayPath.alarms}?past=true&page=${page}`;
  return rest.call({ method: "GET", path, answer: AlarmPage, signal });
}

/** Acknowledge an alarm. */
export async function acknowledgeAlarm(rest: RestClient, id: Id, comment: string): Promise<void> {
  const body = comment === "" ? {} : { comment };
  await rest.call({ method: "POST", path: relayPath.acknowledgeAlarm(id), answer: Type.Unknown(), body });
}

/**
 * Snooze an alarm until an instant, ms since 1970 UTC. @throws ApiError 422 too long, or of the highest
 * priority
 */
export async function snoozeAlarm(rest: RestClient, id: Id, until: number, reason: string): Promise<void> {
  const body = { until: new Date(until).toISOString(), reason };
  await rest.call({ method: "POST", path: relayPath.snoozeAlarm(id), answer: Type.Unknown(), body });
}

/** End a snooze. */
export async function endSnooze(rest: RestClient, id: Id): Promise<void> {
  await rest.call({ method: "DELETE", path: relayPath.snoozeAlarm(id), answer: Type.Unknown() });
}

/** Set an end for an opening made at the controller (RUN-3). */
export async function closeIn(rest: RestClient, alarmId: Id, minutes: number): Promise<void> {
  const body = { minutes };
  await rest.call({ method: "POST", path: relayPath.closeIn(alarmId), answer: Type.Unknown(), body });
}
