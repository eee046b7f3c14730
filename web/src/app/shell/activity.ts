import type { AlarmType } from "@mulkko/shared/live/alarm";
import type {
  AlarmEvent,
  CommandEvent,
  FlipEvent,
  LiveEvent,
  WateringEvent,
} from "@mulkko/shared/live/events";

/** Events of the activity list; notifications have a separate list. */
export type ActivityEvent = FlipEvent | CommandEvent | WateringEvent | AlarmEvent;

/** Alarms already covered by another event: a flip, a step of a command, a notification, a watering. */
const SHOWN_BY_OTHER_EVENTS: ReadonlySet<AlarmType> = new Set<AlarmType>([
  "battery",
  "rssi",
  "device",
  "notice",
  "offline",
  "command-unconfirmed",
  "command-failed",
  "external-open",
]);

/** One line of the activity list: the newest state of a flip, command or watering. */
export interface ActivityLine {
  readonly id: string;
  readonly event: ActivityEvent;
}

/** Maximum number of lines. */
export const ACTIVITY_LINES = 60;

function lineId(event: LiveEvent): string {
  switch (event.kind) {
    case "notification":
      return `notification ${event.id}`;
    case "flip":
      return `flip ${event.key} ${event.at}`;
    case "command":
      return `command ${event.id}`;
    case "watering":
      return `watering ${event.watering.id}`;
    case "alarm":
      return `alarm ${event.alarm.id}`;
  }
}

/** Return the lines of the activity list, newest first: the steps of one command or watering are one line. */
export function activityLines(newestFirst: readonly LiveEvent[]): ActivityLine[] {
  const lines = new Map<string, ActivityLine>();
  for (const event of newestFirst) {
    if (event.kind === "notification") continue;
    if (event.kind === "alarm" && SHOWN_BY_OTHER_EVENTS.has(event.alarm.type)) continue;
    const id = lineId(event);
    if (!lines.has(id)) lines.set(id, { id, event });
    if (lines.size === ACTIVITY_LINES) break;
  }
  return [...lines.values()];
}

/** Return true for an event that the bell counts. */
export function isNoteworthy(event: LiveEvent): boolean {
  switch (event.kind) {
    case "notification":
      return event.unread;
    case "flip":
      return true;
    case "command":
      return event.state === "refused" || event.state === "unconfirmed" || event.state === "failed";
    case "watering":
      return event.watering.cause === "external" && event.watering.end === null;
    case "alarm": {
      const { active, ack, snooze, type } = event.alarm;
      return active && ack === null && snooze === null && !SHOWN_BY_OTHER_EVENTS.has(type);
    }
  }
}

/**
 * Count the objects whose newest event is noteworthy and later than `seen` (ISO UTC; null: nothing seen yet).
 * An alarm that has ended or is acknowledged, or a command confirmed later, does not count.
 */
export function countUnseen(newestFirst: readonly LiveEvent[], seen: string | null): number {
  const since = seen === null ? Number.NEGATIVE_INFINITY : Date.parse(seen);
  // The newest event of an object replaces the others.
  const newest = new Map(newestFirst.toReversed().map((event) => [lineId(event), event]));
  return [...newest.values()].filter((event) => isNoteworthy(event) && Date.parse(event.at) > since).length;
}
