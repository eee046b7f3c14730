import { Alarm } from "@mulkko/shared/live/alarm";
import { Actor } from "@mulkko/shared/live/devices";
import { Nullable } from "@mulkko/shared/schema/nullable";
import { type Static, Type } from "typebox";
import { ANSWER_WITHIN_MS, type MethodsOf, type OwnerCalls } from "../runtime/owner-call.ts";

/** Reason why a user's action on an alarm is refused. */
const Refusal = Type.Union([
  Type.Literal("unknown"),
  Type.Literal("not-active"),
  Type.Literal("most-urgent"),
  Type.Literal("bad-end"),
  Type.Literal("nothing-open"),
]);
export type AlarmRefusal = Static<typeof Refusal>;

const Answer = Type.Union([
  Type.Object({ ok: Type.Literal(true), alarm: Alarm }),
  Type.Object({ ok: Type.Literal(false), why: Refusal }),
]);
export type AlarmAnswer = Static<typeof Answer>;

const oneAlarm = { id: Type.String(), by: Actor };
const answered = { reply: Answer, withinMs: ANSWER_WITHIN_MS };

/**
 * The alarms of one account, for users (ALM-2, ALM-3). Answers resolve once they are stored, and wait for the store.
 */
export const ALARM_CALLS = {
  /** Return the active or unacknowledged alarms, most urgent first; or the cleared and acknowledged ones, newest first. */
  list: {
    wire: "alarms",
    request: Type.Object({ which: Type.Union([Type.Literal("present"), Type.Literal("past")]) }),
    reply: Type.Array(Alarm),
    withinMs: ANSWER_WITHIN_MS,
  },
  acknowledge: {
    wire: "acknowledge",
    request: Type.Object({ ...oneAlarm, comment: Nullable(Type.String()) }),
    ...answered,
  },
  /** `until` is ms UTC. */
  snooze: {
    wire: "snooze",
    request: Type.Object({ ...oneAlarm, until: Type.Number(), reason: Type.String() }),
    ...answered,
  },
  unsnooze: { wire: "unsnooze", request: Type.Object(oneAlarm), ...answered },
  /**
   * RUN-3: let the relay close a valve that was opened at the controller after a number of minutes. Rejects with a
   * `StoreUnavailableError` while the end is in memory only: the caller repeats it (CMD-8).
   */
  closeIn: {
    wire: "close-in",
    request: Type.Object({ ...oneAlarm, minutes: Type.Number() }),
    ...answered,
  },
} as const satisfies OwnerCalls;

export type AlarmService = MethodsOf<typeof ALARM_CALLS>;
