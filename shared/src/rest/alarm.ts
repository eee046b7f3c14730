import { type Static, Type } from "typebox";
import { Alarm } from "../live/alarm.ts";
import { Instant } from "../schema/instant.ts";
import { PageOf } from "./paging.ts";

/** Maximum length of a user's text on an alarm. */
export const ALARM_TEXT = 500;

/** Maximum duration of a snooze, ms (ALM-3). */
export const SNOOZE_AT_MOST_MS = 7 * 24 * 3_600_000;

/** Selection of alarms: present ones (active or unacknowledged), or past ones. */
export const AlarmQuery = Type.Object({
  past: Type.Optional(Type.Boolean()),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export type AlarmQuery = Static<typeof AlarmQuery>;

/** Answer of `GET /relay/alarms`: the most urgent first; past alarms the newest first. */
export const AlarmPage = PageOf(Alarm);
export type AlarmPage = Static<typeof AlarmPage>;

/** Body of `POST /relay/alarms/{id}/ack`. */
export const AcknowledgeBody = Type.Object({
  comment: Type.Optional(Type.String({ maxLength: ALARM_TEXT })),
});
export type AcknowledgeBody = Static<typeof AcknowledgeBody>;

/** Body of `POST /relay/alarms/{id}/snooze`; `DELETE` of the same path ends it. */
export const SnoozeBody = Type.Object({
  until: Instant,
  reason: Type.String({ minLength: 1, maxLength: ALARM_TEXT, pattern: "\\S" }),
});
export type SnoozeBody = Static<typeof SnoozeBody>;

/** Body of `POST /relay/alarms/{id}/close-in`: an end for an opening at the controller (RUN-3). */
export const CloseInBody = Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 120 }) });
export type CloseInBody = Static<typeof CloseInBody>;
