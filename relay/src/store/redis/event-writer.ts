import type { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { eventFrame } from "../change-frame.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { LoggedEvent } from "../streams.ts";
import { InDoubtError } from "./connection.ts";
import type { StreamWriterDeps } from "./device-writer.ts";
import { asText } from "./reply.ts";
import { eventEntry } from "./stored-streams.ts";
import { APPEND, BEGIN_EVENTS } from "./stream-scripts.ts";

/** Write the `events` stream of an account that this node owns, and update its own copy. */
export interface EventWriter {
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Write the whole log of this node's copy under a new epoch. */
  begin(): Promise<void>;
}

/** Attempts to log an event again after a conflict was settled. */
const AGAIN = 2;

/**
 * Create the writer.
 * @param recover writes both streams again after Redis has lost data
 */
export function createEventWriter(deps: StreamWriterDeps, recover: () => Promise<void>): EventWriter {
  const { names, fenced } = deps;
  const { events } = deps.copy;
  /** An event without an answer so far. */
  let doubtful: { readonly logged: LoggedEvent; readonly token: string; readonly epoch: string } | undefined;

  const apply = (logged: LoggedEvent, epoch: string): void => {
    const { stream } = events;
    if (stream.epoch === epoch && stream.offset === logged.offset - 1) events.append(logged);
  };
  const send = async (logged: LoggedEvent, token: string, epoch: string) => {
    const message = deps.publication("E", epoch, eventFrame(logged).bytes);
    const oldest = deps.clock.now() - LIVE_LIMITS.eventsKeptMs;
    const entry = eventEntry(logged);
    const args = [deps.replid(), epoch, logged.offset - 1, token, oldest, entry, names.channel, message];
    try {
      return await fenced.run(APPEND, [names.events], args);
    } catch (error) {
      if (error instanceof InDoubtError) doubtful = { logged, token, epoch };
      throw error;
    }
  };

  return {
    async append(event) {
      for (let n = 0; n <= AGAIN; n += 1) {
        const { epoch, offset } = events.stream;
        const logged = { offset: offset + 1, event };
        const token = deps.newToken();
        const { word, rest } = await send(logged, token, epoch);
        const doubt = doubtful;
        doubtful = undefined;
        if (word !== "moved") {
          apply(logged, epoch);
          return logged;
        }
        if (doubt?.epoch === epoch && asText(rest[1]) === doubt.token) {
          apply(doubt.logged, epoch);
          if (doubt.logged.event === event) return doubt.logged;
        } else await recover();
      }
      throw new StoreUnavailableError("The event log changed during every attempt to write.");
    },
    async begin() {
      const epoch = deps.newEpoch();
      const { stream } = events;
      const kept = [...events.log()];
      const message = deps.publication("B", epoch);
      const args = [epoch, stream.offset, names.channel, message, ...kept.map(eventEntry)];
      await fenced.run(BEGIN_EVENTS, [names.events], args);
      doubtful = undefined;
      events.fill(epoch, kept, stream.offset);
    },
  };
}
