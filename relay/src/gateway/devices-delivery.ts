import type { Position, StateStream } from "@mulkko/shared/live/client-messages";
import type { Metrics } from "../runtime/metrics.ts";
import type { CatchUp, DeviceStream, Frame } from "../store/streams.ts";
import { changeParts, frameParts } from "./change-parts.ts";
import { frameMessage } from "./frame-message.ts";
import { type Outgoing, outgoing } from "./outgoing.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { stateSnapshot } from "./snapshot-parts.ts";
import type { CatchUpRun, StreamDelivery } from "./stream-delivery.ts";

interface Options {
  readonly name: StateStream;
  readonly stream: DeviceStream;
  /** The client's position; undefined requests a snapshot. */
  readonly position: Position | undefined;
  /** SUB-7; undefined: everything. */
  readonly keys: ReadonlySet<string> | undefined;
  readonly snapshots: SnapshotCache;
  readonly partBytes: number;
  /** Counts how the client catches up. */
  readonly onCatchUp: Metrics["caughtUp"];
}

const changes = (step: Extract<CatchUp, { kind: "resume" }>): number =>
  Object.keys(step.set).length + step.del.length;

/**
 * Create the delivery of `devices` or `fleet` to one session (SUB-1, SUB-3, SUB-7). It starts behind, with
 * its answer to `subscribe`.
 */
export function createDevicesDelivery(options: Options): StreamDelivery {
  const { name, stream, position, keys, snapshots, partBytes, onCatchUp } = options;
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
      const whole = snapshots.whole(name, stream);
      yield* whole.parts;
      return { epoch: whole.epoch, offset: whole.offset };
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
    const stands = stays ? { epoch: step.epoch, offset: step.from } : reached;
    if (isAnswer) yield outgoing({ t: "resumed", stream: name, ...stands, changed });
    return stands;
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
