import type { DeadLetterReport, RejectReason } from "@mulkko/shared/rest/dead-letter";
import type { Queryable } from "../database/database.ts";
import { MAX_DEVICE_LETTERS } from "./dead-letters.ts";

/** How long a message is reported, ms. */
export const REPORTED_MS = 7 * 86_400_000;
/** Most messages in a report; older ones are only counted. */
const MAX_LETTERS = 10;

interface LetterRow {
  /** ms UTC. */
  at: number;
  topic: string;
  payload: string;
  reason: RejectReason;
  field: string | null;
}

/** Report the recent messages of a device that were rejected. @param now ms since 1970 UTC */
export async function reportDeadLetters(
  database: Queryable,
  deviceId: string,
  now: number,
): Promise<DeadLetterReport> {
  const rows = await database.query<LetterRow>(
    `select at, topic, payload, reason, field from dead_letter
     where device_id = $1 and at >= $2 order by id desc limit $3`,
    [deviceId, new Date(now - REPORTED_MS), MAX_DEVICE_LETTERS],
  );
  // Each fault of a message is a row; arrival and text identify the message.
  const messages = [
    ...Map.groupBy(rows, ({ at, topic, payload }) => JSON.stringify([at, topic, payload])).values(),
  ];
  return {
    count: messages.length,
    more: rows.length === MAX_DEVICE_LETTERS,
    letters: messages.slice(0, MAX_LETTERS).flatMap((faults) => {
      const [newest] = faults;
      if (!newest) return [];
      return {
        at: new Date(newest.at).toISOString(),
        topic: newest.topic,
        faults: faults.map(({ reason, field }) => ({ reason, field })).reverse(),
        text: newest.payload,
      };
    }),
  };
}
