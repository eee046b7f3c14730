import type { Alarm } from "@mulkko/shared/live/alarm";
import { useState } from "react";
import { errorCode } from "../../api/errors.ts";

/** Action on an alarm. `close` gives an opening made at the controller an end (RUN-3). */
export type AlarmActionName = "acknowledge" | "putOff" | "wake" | "close";

/** Return true once the alarm itself shows the action. The interface shows no action as done before that. */
export function isDone(action: AlarmActionName, { ack, snooze, detail }: Alarm): boolean {
  switch (action) {
    case "acknowledge":
      return ack !== null;
    case "putOff":
      return snooze !== null;
    case "wake":
      return snooze === null;
    case "close":
      return typeof detail?.closesAt === "string";
  }
}

export interface AlarmActionsState {
  /** Action that was sent and does not show on the alarm yet. */
  readonly sending: AlarmActionName | null;
  /** Return the error code of this action if the last attempt was refused. */
  failureOf(action: AlarmActionName): string | null;
  /** @param onTaken called once the relay has accepted the action: the form can be cleared */
  run(action: AlarmActionName, call: () => Promise<void>, onTaken?: () => void): void;
}

/** Run one action at a time on one alarm. It ends when the live stream delivers the updated alarm. */
export function useAlarmAction(alarm: Alarm): AlarmActionsState {
  const [last, setLast] = useState<{ action: AlarmActionName; failure: string | null } | null>(null);
  const sending = last !== null && last.failure === null && !isDone(last.action, alarm) ? last.action : null;
  return {
    sending,
    failureOf: (action) => (last?.action === action ? last.failure : null),
    run(action, call, onTaken) {
      setLast({ action, failure: null });
      call().then(onTaken, (error: unknown) => setLast({ action, failure: errorCode(error) }));
    },
  };
}
