import type { Position, StateStream } from "@mulkko/shared/live/client-messages";
import type { Metrics } from "../ports/metrics.ts";
import type { CatchUp, DeviceStream, Frame } from "../ports/streams.ts";
import { changeParts, frameParts } from "./change-parts.ts";
import type { CatchUpRun, Feed } from "./feed.ts";
import { frameMessage } from "./frame-message.ts";
import { type Outgoing, outgoing } from "./outgoing.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import { stateSnapshot } from "./snapshot-parts.ts";

interface Options {
  readonly name: StateStream;
  readonly stream: DeviceStream;
  /** Where the client says it stands; undefined asks for a snapshot. */
  readonly position: Position | undefined;
  /** SUB-7; undefined: everything. */
  readonly keys: ReadonlySet<string> | undefined;
  readonly snapshots: SnapshotCache;
  readonly partBytes: number;
  /** Counts how the client is brought to the present. */
  readonly onCatchUp: Metrics["caughtUp"];
}

const changes = (step: Extract<CatchUp, { kind: "resume" }>): number =>
  Object.keys(step.set).length + step.del.length;

/** `devices` or `fleet` for one session (SUB-1, SUB-3, SUB-7). Starts behind, with its answer to `subscribe`. */
export function createDevicesFeed(options: Options): Feed {
  const { name, stream, position, keys, snapshots, partBytes, onCatchUp } = options;
  /** Where the client stands; undefined before its first snapshot. The offset moves with every frame. */
  let epoch = position?.epoch;
  let offset = position?.offset ?? 0;
  const stand = (): Position | undefined => (epoch === undefined ? undefined : { epoch, offset });
  let run: CatchUpRun | undefined = catchUp(true);
  /** Where the message of `take` leads. */
  let takenTo = 0;

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
    // Where nothing of what it tracks has changed, the client stays where it is.
    const stays = changed === 0 && (keys !== undefined || step.from === step.offset);
    if (!stays) yield* changeParts(name, step, partBytes);
    const stands = stays ? { epoch: step.epoch, offset: step.from } : reached;
    if (isAnswer) yield outgoing({ t: "resumed", stream: name, ...stands, changed });
    return stands;
  }

  /** True if the stream holds nothing that a session at `reached` lacks. */
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

  /** A frame that would fill a slow link for long goes out in parts, as the window allows (SLOW-3). */
  function* large(frame: Frame, of: string): CatchUpRun {
    yield* frameParts(name, frame, partBytes);
    return { epoch: of, offset: frame.offset };
  }

  /** A session that tracks keys gets what has changed of them since its own offset (SUB-7). */
  function takeTracked(
    from: Position,
    wanted: ReadonlySet<string>,
    touched: readonly string[],
  ): Outgoing | null {
    if (!touched.some((key) => wanted.has(key))) return null;
    const step = stream.changesSince(from, wanted);
    if (step.kind === "snapshot") return startRun();
    takenTo = step.offset;
    const [only, more] = changeParts(name, step, partBytes);
    return only !== undefined && more === undefined ? only : startRun();
  }

  return {
    stream: name,
    current: () => run === undefined,
    take(frame) {
      if (epoch === undefined || run !== undefined) return null;
      // An offset says nothing about a position of another epoch, and a copy may move by other means than a step.
      if (frame.from < 0 || epoch !== stream.epoch) return startRun();
      if (keys !== undefined) return takeTracked({ epoch, offset }, keys, frame.keys);
      // Something is missing between the two: no session is sent a hole.
      if (frame.from !== offset) return startRun();
      if (frame.bytes.length > partBytes) return startRun(large(frame, epoch));
      takenTo = frame.offset;
      return frameMessage(frame, "change");
    },
    advance() {
      offset = takenTo;
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
