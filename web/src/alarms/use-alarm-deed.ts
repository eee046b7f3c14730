import type { Alarm } from "@mulkko/shared/live/alarm";
import { useState } from "react";
import { errorCode } from "../rest/errors.ts";

/** What a person can do about an alarm. `close` gives what somebody opened at the controller an end (RUN-3). */
export type Deed = "acknowledge" | "putOff" | "wake" | "close";

/** True once the alarm itself says that it was done: nothing is drawn as done before that. */
export function isDone(deed: Deed, { ack, snooze, detail }: Alarm): boolean {
  switch (deed) {
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

export interface AlarmDeeds {
  /** What was sent and is not seen on the alarm yet. */
  readonly sending: Deed | null;
  /** Code of why this one was refused, if it was the last. */
  failureOf(deed: Deed): string | null;
  /** @param onTaken the relay has taken it: nothing that was typed for it is needed any more */
  run(deed: Deed, call: () => Promise<void>, onTaken?: () => void): void;
}

/** One deed at a time on one alarm; it ends when the live stream brings the alarm as it is since. */
export function useAlarmDeed(alarm: Alarm): AlarmDeeds {
  const [last, setLast] = useState<{ deed: Deed; failure: string | null } | null>(null);
  const sending = last !== null && last.failure === null && !isDone(last.deed, alarm) ? last.deed : null;
  return {
    sending,
    failureOf: (deed) => (last?.deed === deed ? last.failure : null),
    run(deed, call, onTaken) {
      setLast({ deed, failure: null });
      call().then(onTaken, (error: unknown) => setLast({ deed, failure: errorCode(error) }));
    },
  };
}
