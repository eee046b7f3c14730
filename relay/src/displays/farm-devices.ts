import type { Clock } from "@mulkko/shared/rules/clock";
import { changeFrame } from "../core/change-frame.ts";
import type { FarmState } from "../core/channel-farms.ts";
import { farmSight, movesDevices } from "../core/farm-sight.ts";
import { emptyGathering, gatherDel, gatherSet, takeGathered } from "../core/gather.ts";
import type { DeviceStream, Frame, StateValue } from "../ports/streams.ts";
import { createDeviceCopy } from "../streams/device-copy.ts";

/** The part of an account's `devices` that belongs to some of its farms: a stream of its own (HS-2). */
export interface FarmDevices {
  readonly stream: DeviceStream;
  /** Whether the farms have the key now. */
  sees(key: string, value?: StateValue): boolean;
  keys(): Iterable<string>;
  close(): void;
}

export interface FarmDevicesParts {
  readonly source: DeviceStream;
  readonly farms: ReadonlySet<string>;
  readonly clock: Clock;
  readonly newEpoch: () => string;
  /** There are other devices than before. */
  readonly onMembers: () => void;
  readonly onError: (error: unknown) => void;
}

const NOTHING: StateValue = {};

/**
 * Follows the account's stream step by step: what of a step is seen becomes one frame of this stream, made into bytes
 * once for all screens with the same farms (SUB-6). Its offsets are its own, and so is its epoch: a position is good
 * as long as this node has a screen that looks at these farms.
 */
export function createFarmDevices(parts: FarmDevicesParts): FarmDevices {
  const { source, farms, clock, newEpoch, onError } = parts;
  const all = new Map<string, StateValue>();
  const gathering = emptyGathering();
  const copy = createDeviceCopy(newEpoch(), onError);
  let position = { epoch: source.epoch, offset: source.offset };
  let sight = farmSight({}, farms);

  const look = (): void => {
    const state: FarmState = Object.fromEntries(all);
    sight = farmSight(state, farms);
  };
  const gather = (key: string): void => {
    const value = all.get(key);
    if (value !== undefined && sight.sees(key, value)) gatherSet(gathering, key, sight.cut(key, value));
    else gatherDel(gathering, key);
  };
  const beginAnew = (state: Readonly<Record<string, StateValue>>): void => {
    all.clear();
    for (const [key, value] of Object.entries(state)) all.set(key, value);
    look();
    for (const key of [...gathering.values.keys()]) gatherDel(gathering, key);
    for (const key of all.keys()) gather(key);
    takeGathered(gathering);
    copy.begin(newEpoch(), new Map(gathering.values));
    parts.onMembers();
  };
  const follow = (): void => {
    const step = source.changesSince(position);
    position = { epoch: step.epoch, offset: step.offset };
    if (step.kind === "snapshot") {
      beginAnew(step.state);
      return;
    }
    let moved = false;
    const touched = new Set<string>();
    for (const [key, value] of Object.entries(step.set)) {
      moved ||= movesDevices(key, all.get(key), value);
      all.set(key, value);
      touched.add(key);
    }
    for (const key of step.del) {
      moved ||= movesDevices(key, all.get(key), undefined);
      all.delete(key);
      touched.add(key);
    }
    if (moved) {
      look();
      for (const key of [...all.keys(), ...gathering.values.keys()]) touched.add(key);
    }
    for (const key of touched) gather(key);
    const gathered = takeGathered(gathering);
    if (gathered.whole.size + gathered.del.length === 0) return;
    const frame: Frame = changeFrame(copy.stream.offset, gathered);
    copy.apply({ set: gathered.whole, del: gathered.del }, frame, clock.monotonic());
    if (moved) parts.onMembers();
  };

  const begun = source.changesSince(undefined);
  if (begun.kind === "snapshot") beginAnew(begun.state);
  const stop = source.listen(follow);
  return {
    stream: copy.stream,
    sees: (key, value = NOTHING) => sight.sees(key, value),
    keys: () => gathering.values.keys(),
    close: stop,
  };
}
