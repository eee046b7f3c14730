import type { Position, StateStream, StreamName, Subscribe } from "@mulkko/shared/live/client-messages";
import type { Metrics } from "../runtime/metrics.ts";
import type { CatchUp, DeviceStream, EventStream, Frame } from "../store/streams.ts";
import type { GatewayLimits } from "./limits.ts";
import {
  changeParts,
  eventMessage,
  eventSnapshot,
  frameMessage,
  frameParts,
  type Outgoing,
  outgoing,
  stateSnapshot,
} from "./outgoing.ts";

/**
 * The delivery of one stream to one session. When current, it passes frames on as they arrive. Otherwise it
 * is behind, and returns one message at a time as the session's window allows. These messages include the
 * frames that arrive meanwhile.
 */
export interface StreamDelivery {
  readonly stream: StreamName;
  current(): boolean;
  /** Return this session's message for a frame, or null for nothing. Only when current. */
  messageOf(frame: Frame): Outgoing | null;
  /** Note that the message of `messageOf` was sent. */
  advance(frame: Frame): void;
  /** Note that the message of `messageOf` could not be sent: all later ones come from `next`. */
  fallBehind(): void;
  /** Return the next message of the catch-up; null: current. */
  next(): Outgoing | null;
}

/**
 * The catch-up of a subscription from a position: it yields messages, and returns the session's position
 * after them.
 */
type CatchUpRun = Generator<Outgoing, Position>;

/** Creates the deliveries of all sessions. */
export interface StreamDeliveries {
  state(name: StateStream, stream: DeviceStream, message: Subscribe): StreamDelivery;
  events(stream: EventStream, message: Subscribe): StreamDelivery;
}

interface WholeSnapshot extends Position {
  readonly parts: readonly Outgoing[];
}

const changes = (step: Extract<CatchUp, { kind: "resume" }>): number =>
  Object.keys(step.set).length + step.del.length;

/** @param onCatchUp counts how clients catch up */
export function createStreamDeliveries(
  limits: Pick<GatewayLimits, "partBytes" | "eventPage">,
  onCatchUp: Metrics["caughtUp"],
): StreamDeliveries {
  const { partBytes } = limits;
  const snapshots = new WeakMap<DeviceStream, WholeSnapshot>();

  /**
   * Return the snapshot of a whole stream, created once for all requests at the same offset: a thousand
   * screens that reconnect.
   */
  function whole(name: StateStream, stream: DeviceStream): WholeSnapshot {
    const known = snapshots.get(stream);
    if (known && known.epoch === stream.epoch && known.offset === stream.offset) return known;
    const step = stream.changesSince(undefined);
    if (step.kind !== "snapshot") throw new Error("a stream without a position answered no snapshot");
    const { epoch, offset } = step;
    const fresh = { epoch, offset, parts: stateSnapshot(name, step, partBytes) };
    snapshots.set(stream, fresh);
    return fresh;
  }

  /**
   * Create the delivery of `devices` or `fleet` to one session (SUB-1, SUB-3, SUB-7). It starts behind, with
   * its answer to `subscribe`.
   */
  function state(name: StateStream, stream: DeviceStream, { position, track }: Subscribe): StreamDelivery {
    const keys = track && new Set(track);
    /** The client's position; undefined before its first snapshot. The offset moves with every frame. */
    let epoch = position?.epoch;
    let offset = position?.offset ?? 0;
    const stand = (): Position | undefined => (epoch === undefined ? undefined : { epoch, offset });
    let run: CatchUpRun | undefined = catchUp(true);
    /** The offset after the message of `messageOf`. */
    let deliveredTo = 0;

    function* catchUp(isAnswer: boolean): CatchUpRun {
      const at = stand();
      const cause = isAnswer ? "subscribe" : "behind";
      if (at === undefined && keys === undefined) {
        onCatchUp("snapshot", cause);
        const { parts, ...reached } = whole(name, stream);
        yield* parts;
        return reached;
      }
      const step = stream.changesSince(at, keys);
      onCatchUp(step.kind, cause);
      const reached = { epoch: step.epoch, offset: step.offset };
      if (step.kind === "snapshot") {
        yield* stateSnapshot(name, step, partBytes);
        return reached;
      }
      const changed = changes(step);
      // Without changes of its tracked keys the client keeps its position.
      const stays = changed === 0 && (keys !== undefined || step.from === step.offset);
      if (!stays) yield* changeParts(name, step, partBytes);
      const resumedAt = stays ? { epoch: step.epoch, offset: step.from } : reached;
      if (isAnswer) yield outgoing({ t: "resumed", stream: name, ...resumedAt, changed });
      return resumedAt;
    }

    /** Return true if a session at `reached` lacks nothing of the stream. */
    const isLevel = (reached: Position): boolean => {
      if (reached.epoch !== stream.epoch) return false;
      if (reached.offset === stream.offset) return true;
      if (keys === undefined) return false;
      const step = stream.changesSince(reached, keys);
      return step.kind === "resume" && changes(step) === 0;
    };

    const startRun = (next = catchUp(false)): null => {
      run = next;
      return null;
    };

    /**
     * Yield a large frame in parts, as the window allows: it would fill a slow connection for long (SLOW-3).
     */
    function* large(frame: Frame, of: string): CatchUpRun {
      yield* frameParts(name, frame, partBytes);
      return { epoch: of, offset: frame.offset };
    }

    /** Return the changes of a session's tracked keys since its own offset (SUB-7). */
    function trackedChanges(
      from: Position,
      wanted: ReadonlySet<string>,
      changed: readonly string[],
    ): Outgoing | null {
      if (!changed.some((key) => wanted.has(key))) return null;
      const step = stream.changesSince(from, wanted);
      if (step.kind === "snapshot") return startRun();
      deliveredTo = step.offset;
      const [only, more] = changeParts(name, step, partBytes);
      return only !== undefined && more === undefined ? only : startRun();
    }

    return {
      stream: name,
      current: () => run === undefined,
      messageOf(frame) {
        if (epoch === undefined || run !== undefined) return null;
        // A position of another epoch has no comparable offset, and a copy may also move by a refill.
        if (frame.from < 0 || epoch !== stream.epoch) return startRun();
        if (keys !== undefined) return trackedChanges({ epoch, offset }, keys, frame.keys);
        // Frames are missing between the two: no session gets a gap.
        if (frame.from !== offset) return startRun();
        if (frame.bytes.length > partBytes) return startRun(large(frame, epoch));
        deliveredTo = frame.offset;
        return frameMessage(frame, "change");
      },
      advance() {
        offset = deliveredTo;
      },
      fallBehind() {
        startRun();
      },
      next() {
        while (run) {
          const step = run.next();
          if (!step.done) return step.value;
          ({ epoch, offset } = step.value);
          run = isLevel(step.value) ? undefined : catchUp(false);
        }
        return null;
      },
    };
  }

  /**
   * Create the delivery of the `events` stream to one session: a cursor into the log, so that a slow session
   * holds no queue (SLOW-1).
   */
  function events(stream: EventStream, { position }: Subscribe): StreamDelivery {
    let at: Position | undefined = position;
    let run: CatchUpRun | undefined = catchUp(true);

    function* catchUp(isAnswer: boolean): CatchUpRun {
      let cursor = at;
      let changed = 0;
      for (;;) {
        const step = stream.eventsSince(cursor, limits.eventPage);
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
        const resumedAt = { epoch: step.epoch, offset: step.offset };
        if (isAnswer) yield outgoing({ t: "resumed", stream: "events", ...resumedAt, changed });
        return resumedAt;
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

  return { state, events };
}
