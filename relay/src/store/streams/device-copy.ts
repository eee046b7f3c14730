import type { Position } from "@mulkko/shared/live/client-messages";
import { applyStep, changesSince, emptyState, type Step, type VersionedState } from "../changes-since.ts";
import { type DeviceStream, type Frame, type StateValue, voidingFrame } from "../streams.ts";
import { createListeners } from "./listeners.ts";

/** A node's whole copy of an account's `devices` stream (SUB-2), with the store's updates. */
export interface DeviceCopy {
  readonly stream: DeviceStream;
  value(key: string): StateValue | undefined;
  values(): ReadonlyMap<string, StateValue>;
  /** Apply one step and pass its frame to every listener. */
  apply(step: Step, frame: Frame, now: number): void;
  /** Begin another epoch at offset 0; positions of the old epoch become invalid. */
  begin(epoch: string, values: ReadonlyMap<string, StateValue>): void;
  /** Replace the content by the store's; readers catch up with it (SUB-3). */
  fill(state: VersionedState): void;
}

/** @param onError receives exceptions of a listener; the others are still called */
export function createDeviceCopy(epoch: string, onError: (error: unknown) => void): DeviceCopy {
  let state = emptyState(epoch);
  const listeners = createListeners<Frame>(onError);
  const fill = (next: VersionedState): void => {
    const isSame = next.epoch === state.epoch && next.offset === state.offset;
    state = next;
    if (!isSame) listeners.call(voidingFrame(state.offset));
  };
  return {
    stream: {
      get epoch() {
        return state.epoch;
      },
      get offset() {
        return state.offset;
      },
      changesSince: (position: Position | undefined, keys?: ReadonlySet<string>) =>
        changesSince(state, position, keys),
      listen: listeners.add,
    },
    value: (key) => state.values.get(key)?.value,
    values: () => new Map([...state.values].map(([key, { value }]) => [key, value])),
    apply(step, frame, now) {
      applyStep(state, step, now);
      listeners.call(frame);
    },
    begin(next, values) {
      const begun = emptyState(next);
      for (const [key, value] of values) begun.values.set(key, { value, offset: 0 });
      fill(begun);
    },
    fill,
  };
}
