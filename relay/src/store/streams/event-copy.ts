import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { type EventStream, eventFrame, type Frame, type LoggedEvent, voidingFrame } from "../streams.ts";
import { createListeners } from "./listeners.ts";

/** A node's copy of an account's event log: at most 1,000 of the last 7 days (SUB-4). */
export interface EventCopy {
  readonly stream: EventStream;
  /** @param frame the serialised message, if it exists already */
  append(logged: LoggedEvent, frame?: Frame): void;
  /** Return this node's log, oldest first. */
  log(): readonly LoggedEvent[];
  /** Replace the content by the store's; readers catch up with it (SUB-3). */
  fill(epoch: string, kept: readonly LoggedEvent[], offset: number): void;
}

/**
 * @param kept the log so far, oldest first, without gaps in its offsets
 * @param offset of the newest event ever logged; 0 if there was none
 */
export function createEventCopy(
  firstEpoch: string,
  kept: readonly LoggedEvent[],
  offset: number,
  onError: (error: unknown) => void,
): EventCopy {
  let epoch = firstEpoch;
  let log = [...kept];
  let newest = offset;
  const listeners = createListeners<Frame>(onError);
  return {
    stream: {
      get epoch() {
        return epoch;
      },
      get offset() {
        return newest;
      },
      eventsSince(position, limit) {
        const oldest = log[0]?.offset ?? newest + 1;
        const resumable =
          position !== undefined &&
          position.epoch === epoch &&
          position.offset <= newest &&
          position.offset >= oldest - 1;
        if (!resumable) {
          return { kind: "snapshot", epoch, offset: newest, newest: log.slice(-LIVE_LIMITS.eventSnapshot) };
        }
        const start = log.length - (newest - position.offset);
        const missed = log.slice(start, start + limit);
        return { kind: "resume", epoch, offset: newest, missed };
      },
      listen: listeners.add,
    },
    log: () => log,
    fill(nextEpoch, next, nextOffset) {
      const isSame = nextEpoch === epoch && nextOffset === newest;
      epoch = nextEpoch;
      log = [...next];
      newest = nextOffset;
      if (!isSame) listeners.call(voidingFrame(newest));
    },
    append(logged, frame) {
      log.push(logged);
      const oldestKept = Date.parse(logged.event.at) - LIVE_LIMITS.eventsKeptMs;
      let gone = Math.max(0, log.length - LIVE_LIMITS.eventsKept);
      while (gone < log.length - 1 && Date.parse(log[gone]?.event.at ?? "") < oldestKept) gone += 1;
      if (gone > 0) log.splice(0, gone);
      newest = logged.offset;
      listeners.call(frame ?? eventFrame(logged));
    },
  };
}
