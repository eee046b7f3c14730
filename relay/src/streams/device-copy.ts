import type { Position } from "@mulkko/shared/live/client-messages";
import { applyStep, changesSince, emptyState, type Step } from "../core/changes-since.ts";
import type { DeviceStream, Frame, StateValue } from "../ports.ts";
import { createListeners } from "./listeners.ts";

/** A node's whole copy of an account's `devices` stream (SUB-2), and how the store moves it on. */
export interface DeviceCopy {
  readonly stream: DeviceStream;
  value(key: string): StateValue | undefined;
  /** Moves the copy one step and hands its frame to every listener. */
  apply(step: Step, frame: Frame, now: number): void;
  /** Begins another epoch at offset 0; readers see that their position is of the old one. */
  begin(epoch: string, values: ReadonlyMap<string, StateValue>): void;
}

/** @param onError takes what a listener throws; the others are still called */
export function createDeviceCopy(epoch: string, onError: (error: unknown) => void): DeviceCopy {
  let state = emptyState(epoch);
  const listeners = createListeners<Frame>(onError);
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
    apply(step, frame, now) {
      applyStep(state, step, now);
      listeners.call(frame);
    },
    begin(next, values) {
      state = emptyState(next);
      for (const [key, value] of values) state.values.set(key, { value, offset: 0 });
    },
  };
}
