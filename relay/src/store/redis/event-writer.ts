import type { LiveEvent } from "@mulkko/shared/live/events";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { eventFrame } from "../../core/change-frame.ts";
import type { LoggedEvent } from "../../ports/streams.ts";
import { StoreUnavailableError } from "../errors.ts";
import { InDoubtError } from "./connection.ts";
import type { StreamWriterParts } from "./device-writer.ts";
import { publicationText } from "./publication.ts";
import { asText } from "./reply.ts";
import { eventEntry } from "./stored-streams.ts";
import { APPEND, BEGIN_EVENTS } from "./stream-scripts.ts";

/** Writes the `events` stream of an account that this node owns, and moves its own copy along. */
export interface EventWriter {
  append(event: LiveEvent): Promise<LoggedEvent>;
  /** Writes the whole log of this node's copy under a new epoch. */
  begin(): Promise<void>;
}

/** Times that an event is logged again after what stood in its way was settled. */
const AGAIN = 2;

/** @param recover writes both streams anew after Redis has lost something */
export function createEventWriter(parts: StreamWriterParts, recover: () => Promise<void>): EventWriter {
  const { names, fenced } = parts;
  const { events } = parts.copy;
  /** An event whose answer never came. */
  let doubtful: { readonly logged: LoggedEvent; readonly token: string; readonly epoch: string } | undefined;

  const apply = (logged: LoggedEvent, epoch: string): void => {
    const { stream } = events;
    if (stream.epoch === epoch && stream.offset === logged.offset - 1) events.append(logged);
  };
  const send = async (logged: LoggedEvent, token: string, epoch: string) => {
    const message = publicationText("E", parts.node, epoch, eventFrame(logged).bytes);
    const oldest = parts.storeClock.now() - LIVE_LIMITS.eventsKeptMs;
    const entry = eventEntry(logged);
    const args = [parts.replid(), epoch, logged.offset - 1, token, oldest, entry, names.channel, message];
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
        const token = parts.newToken();
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
      throw new StoreUnavailableError("The log of events moves whenever one is written.");
    },
    async begin() {
      const epoch = parts.newEpoch();
      const { stream } = events;
      const kept = [...events.kept()];
      const message = publicationText("B", parts.node, epoch);
      const args = [epoch, stream.offset, names.channel, message, ...kept.map(eventEntry)];
      await fenced.run(BEGIN_EVENTS, [names.events], args);
      doubtful = undefined;
      events.fill(epoch, kept, stream.offset);
    },
  };
}
