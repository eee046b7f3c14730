import { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { parse } from "@mulkko/shared/schema/parse";
import { StoreUnavailableError } from "../errors.ts";
import { readJson } from "../json.ts";
import { createEventCopy, type EventCopy } from "../streams/event-copy.ts";
import type { LoggedEvent } from "../streams.ts";
import type { Durable, Statement } from "./durable.ts";

/** An account's events: in memory for readers, on disk for restarts. */
export interface EventLog {
  readonly copy: EventCopy;
  append(event: LiveEvent): LoggedEvent;
}

const loggedOf = (row: Record<string, unknown>): LoggedEvent[] => {
  const event = parse(LiveEvent, readJson(row.event));
  return event.ok ? [{ offset: Number(row.number), event: event.value }] : [];
};

/**
 * Open an account's log. While the disk fails, events still reach every screen. At most 1,000 of them are
 * written with the first event after it.
 * @param newEpoch names the log of an account without one
 */
export function openEventLog(
  accountId: string,
  durable: Durable,
  now: () => number,
  newEpoch: () => string,
  onError: (error: unknown) => void,
): EventLog {
  let row = durable.get("SELECT event_epoch, event_offset FROM accounts WHERE account = ?", accountId);
  if (row === undefined) {
    row = { event_epoch: newEpoch(), event_offset: 0 };
    try {
      durable.write([
        ["INSERT INTO accounts (account, event_epoch) VALUES (?, ?)", accountId, row.event_epoch ?? null],
      ]);
    } catch (error) {
      onError(error);
    }
  }
  const epoch = String(row.event_epoch);
  let offset = Number(row.event_offset);
  const select = `SELECT number, event FROM events WHERE account = ? AND at >= ?
    ORDER BY number DESC LIMIT ${LIVE_LIMITS.eventsKept}`;
  const kept = durable
    .all(select, accountId, now() - LIVE_LIMITS.eventsKeptMs)
    .flatMap(loggedOf)
    .reverse();
  const copy = createEventCopy(epoch, contiguous(kept, offset), offset, onError);
  const unsaved: LoggedEvent[] = [];

  const save = (): void => {
    const statements = unsaved.map(
      (logged): Statement => [
        "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)",
        accountId,
        logged.offset,
        Date.parse(logged.event.at),
        JSON.stringify(logged.event),
      ],
    );
    statements.push([
      "INSERT INTO accounts (account, event_epoch, event_offset) VALUES (?, ?, ?) " +
        "ON CONFLICT (account) DO UPDATE SET event_offset = excluded.event_offset",
      accountId,
      epoch,
      offset,
    ]);
    durable.write(statements);
    unsaved.length = 0;
  };

  return {
    copy,
    append(event) {
      offset += 1;
      const logged = { offset, event };
      unsaved.push(logged);
      if (unsaved.length > LIVE_LIMITS.eventsKept) unsaved.shift();
      try {
        save();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        onError(error);
      }
      copy.append(logged);
      return logged;
    },
  };
}

/** Return the newest range without a gap: a reader relies on consecutive offsets. */
function contiguous(kept: readonly LoggedEvent[], newest: number): LoggedEvent[] {
  let start = kept.length;
  while (start > 0 && kept[start - 1]?.offset === newest - (kept.length - start)) start -= 1;
  return kept.slice(start);
}
