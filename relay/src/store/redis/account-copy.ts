import type { Clock } from "@mulkko/shared/rules/clock";
import type { StateValue } from "../../ports/streams.ts";
import { createDeviceCopy, type DeviceCopy } from "../../streams/device-copy.ts";
import { createEventCopy, type EventCopy } from "../../streams/event-copy.ts";
import { REDIS_LIMITS } from "./limits.ts";
import type { Publication } from "./publication.ts";
import { type ReadChange, readChange, readEvent, type StoredStreams } from "./stored-streams.ts";

/** This node's copy of an account, owned here or elsewhere. */
export interface AccountCopy {
  readonly devices: DeviceCopy;
  readonly events: EventCopy;
  /** True once it was filled. */
  readonly filled: boolean;
  /** A publication of another node: applied where it follows, else the copy is filled again. */
  heard(publication: Publication): void;
  /**
   * Reads the store and puts what it holds in the copy's place (SUB-2): publications that come meanwhile wait, and
   * those that lie beyond are applied after it. What the store has lost is not taken over: its owner writes it again.
   */
  fill(): Promise<void>;
}

export interface AccountCopyParts {
  readonly clock: Clock;
  readonly read: () => Promise<StoredStreams>;
  /** True while this node owns the account: its own copy is the one that counts. */
  readonly isOwner: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Epoch of a stream that nobody has begun. */
const NONE = "none";
/** Times that a copy is read in a row, where publications still do not follow; LIVE-4 finds what is left. */
const FILLS = 3;

export function createAccountCopy({ clock, read, isOwner, onError }: AccountCopyParts): AccountCopy {
  const devices = createDeviceCopy(NONE, onError);
  const events = createEventCopy(NONE, [], 0, onError);
  let isFilled = false;
  let filling: Promise<void> | undefined;
  let waiting: Publication[] | undefined;

  const applyChange = (change: ReadChange, body: Buffer): void => {
    const set = new Map<string, StateValue>(Object.entries(change.set ?? {}));
    for (const [key, fields] of Object.entries(change.patch ?? {})) {
      set.set(key, { ...devices.value(key), ...fields });
    }
    const del = change.del ?? [];
    const { from, offset } = change;
    devices.apply(
      { set, del },
      { from, offset, keys: [...set.keys(), ...del], bytes: body },
      clock.monotonic(),
    );
  };
  /** False if the publication does not follow on what the copy holds. */
  const apply = ({ kind, epoch, body }: Publication): boolean => {
    if (kind === "B") return epoch === devices.stream.epoch || epoch === events.stream.epoch;
    if (kind === "E") {
      const logged = readEvent(body);
      if (!logged || epoch !== events.stream.epoch) return false;
      const { offset } = events.stream;
      if (logged.offset > offset + 1) return false;
      if (logged.offset === offset + 1) {
        events.append(logged, { from: offset, offset: logged.offset, keys: [], bytes: body });
      }
      return true;
    }
    const change = readChange(body);
    if (!change || epoch !== devices.stream.epoch) return false;
    const { offset } = devices.stream;
    if (change.from === offset) applyChange(change, body);
    return change.from <= offset;
  };
  const take = ({ devices: state, events: log }: StoredStreams): void => {
    const { stream } = devices;
    if (state && !(state.epoch === stream.epoch && state.offset < stream.offset)) devices.fill(state);
    if (log && !(log.epoch === events.stream.epoch && log.offset < events.stream.offset)) {
      events.fill(log.epoch, log.kept, log.offset);
    }
    isFilled = true;
  };
  const fillInTurn = async (): Promise<void> => {
    for (let n = 0; n < FILLS; n += 1) {
      const queue: Publication[] = [];
      waiting = queue;
      try {
        const stored = await read();
        // Its own steps may have gone on since it was read; nobody else's can have.
        if (!(isFilled && isOwner())) take(stored);
      } finally {
        waiting = undefined;
      }
      if (queue.every((publication) => isOwner() || apply(publication))) return;
    }
  };
  const fill = (): Promise<void> => {
    filling ??= fillInTurn().finally(() => {
      filling = undefined;
    });
    return filling;
  };
  const heard = (publication: Publication): void => {
    if (waiting) {
      // An overflow leaves a hole, which the next publication finds.
      if (waiting.length < REDIS_LIMITS.waitingFrames) waiting.push(publication);
      return;
    }
    // Whoever wrote while this node believes to own the account is found by the next write.
    if (isOwner() || apply(publication)) return;
    fill().catch(onError);
  };

  return {
    devices,
    events,
    get filled() {
      return isFilled;
    },
    heard,
    fill,
  };
}
