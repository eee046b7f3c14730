import type { Clock } from "@mulkko/shared/rules/clock";
import { createDeviceCopy, type DeviceCopy } from "../streams/device-copy.ts";
import { createEventCopy, type EventCopy } from "../streams/event-copy.ts";
import type { StateValue } from "../streams.ts";
import { REDIS_LIMITS } from "./limits.ts";
import {
  type Publication,
  type ReadChange,
  readChange,
  readEvent,
  type StoredStreams,
} from "./stored-streams.ts";

/** This node's copy of an account, which this node or another owns. */
export interface AccountCopy {
  readonly devices: DeviceCopy;
  readonly events: EventCopy;
  /** True once it was filled. */
  readonly filled: boolean;
  /** Handle a publication of another node: apply it if it continues the copy, else fill the copy again. */
  received(publication: Publication): void;
  /**
   * Replace the copy by the store's content (SUB-2). Publications wait meanwhile, and newer ones are applied
   * after it. Data that the store has lost is kept: its owner writes it again.
   */
  fill(): Promise<void>;
}

export interface AccountCopyDeps {
  readonly clock: Clock;
  readonly read: () => Promise<StoredStreams>;
  /** True while this node owns the account: its own copy then counts. */
  readonly isOwner: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Epoch of a stream that was never begun. */
const NONE = "none";
/** Reads in a row while publications still do not continue the copy; LIVE-4 finds the rest. */
const FILLS = 3;

export function createAccountCopy({ clock, read, isOwner, onError }: AccountCopyDeps): AccountCopy {
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
  /** Return false if the publication does not continue the copy. */
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
  const fillFrom = ({ devices: state, events: log }: StoredStreams): void => {
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
        // An owner's own steps may be newer than the read; those of another node cannot be.
        if (!(isFilled && isOwner())) fillFrom(stored);
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
  const received = (publication: Publication): void => {
    if (waiting) {
      // An overflow leaves a gap, which the next publication finds.
      if (waiting.length < REDIS_LIMITS.waitingFrames) waiting.push(publication);
      return;
    }
    // If another node wrote while this node believes it owns the account, the next write finds it.
    if (isOwner() || apply(publication)) return;
    fill().catch(onError);
  };

  return {
    devices,
    events,
    get filled() {
      return isFilled;
    },
    received,
    fill,
  };
}
