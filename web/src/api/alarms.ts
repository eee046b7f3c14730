import { AlarmPage } from "@mulkko/shared/rest/alarm";
import { relayPath } from "@mulkko/shared/rest/routes";
import { get, type Id, type RestClient, send } from "./client.ts";
import { type CommandOptions, callOptions } from "./commands.ts";

/** Fetch ended alarms, newest first. */
export const fetchPastAlarms = (rest: RestClient, page: number, signal: AbortSignal) =>
  get(rest, `${relayPath.alarms}?past=true&page=${page}`, AlarmPage, signal);

/** Acknowledge an alarm. */
export function acknowledgeAlarm(rest: RestClient, id: Id, comment: string) {
  const body = comment === "" ? {} : { comment };
  return send(rest, { method: "POST", path: relayPath.acknowledgeAlarm(id), body });
}

/**
 * Snooze an alarm until an instant, ms since 1970 UTC. @throws ApiError 422 too long, or of the highest
 * priority
 */
export function snoozeAlarm(rest: RestClient, id: Id, until: number, reason: string) {
  const body = { until: new Date(until).toISOString(), reason };
  return send(rest, { method: "POST", path: relayPath.snoozeAlarm(id), body });
}

/** End a snooze. */
export const endSnooze = (rest: RestClient, id: Id) =>
  send(rest, { method: "DELETE", path: relayPath.snoozeAlarm(id) });

/** Set an end for an opening made at the controller (RUN-3). */
export const closeIn = (rest: RestClient, alarmId: Id, minutes: number, options: CommandOptions = {}) =>
  send(rest, {
    method: "POST",
    path: relayPath.closeIn(alarmId),
    body: { minutes },
    ...callOptions(options),
  });
