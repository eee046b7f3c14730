import type { Position } from "@mulkko/shared/live/client-messages";
import type { EventStream } from "../store/streams.ts";
import { frameMessage } from "./frame-message.ts";
import { eventMessage, outgoing } from "./outgoing.ts";
import { eventSnapshot } from "./snapshot-parts.ts";
import type { CatchUpRun, StreamDelivery } from "./stream-delivery.ts";

interface Options {
  readonly stream: EventStream;
  /** The client's position; undefined requests the newest events. */
  readonly position: Position | undefined;
  readonly partBytes: number;
  /** SUB-4: most events read from the log at once. */
  readonly page: number;
}

/**
 * Create the delivery of the `events` stream to one session: a cursor into the log, so that a slow session
 * holds no queue (SLOW-1).
 */
export function createEventsDelivery({ stream, position, partBytes, page }: Options): StreamDelivery {
  let at: Position | undefined = position;
  let run: CatchUpRun | undefined = catchUp(true);

  function* catchUp(isAnswer: boolean): CatchUpRun {
    let cursor = at;
    let changed = 0;
    for (;;) {
      const step = stream.eventsSince(cursor, page);
      if (step.kind === "snapshot") {
        yield* eventSnapshot(step, partBytes);
        return { epoch: step.epoch, offset: step.offset };
      }
      for (const logged of step.missed) {
        changed += 1;
        cursor = { epoch: step.epoch, offset: logged.offset };
        yield eventMessage(logged);
      }
      if (cursor && cursor.offset < step.offset && step.missed.length > 0) continue;
      const stands = { epoch: step.epoch, offset: step.offset };
      if (isAnswer) yield outgoing({ t: "resumed", stream: "events", ...stands, changed });
      return stands;
    }
  }

  return {
    stream: "events",
    current: () => run === undefined,
    messageOf(frame) {
      if (at === undefined || run !== undefined) return null;
      if (frame.from !== at.offset) {
        run = catchUp(false);
        return null;
      }
      return frameMessage(frame, "event");
    },
    advance(frame) {
      if (at) at = { epoch: at.epoch, offset: frame.offset };
    },
    fallBehind() {
      run = catchUp(false);
    },
    next() {
      while (run) {
        const step = run.next();
        if (!step.done) return step.value;
        at = step.value;
        const level = at.epoch === stream.epoch && at.offset === stream.offset;
        run = level ? undefined : catchUp(false);
      }
      return null;
    },
  };
}
