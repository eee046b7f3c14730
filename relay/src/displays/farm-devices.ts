import type { Clock } from "@mulkko/shared/rules/clock";
import { createFarmFilter, movesDevices } from "../account/farm-filter.ts";
import type { FarmState } from "../account/farm-index.ts";
import { changeFrame, emptyGathering, gatherDel, gatherSet, takeGathered } from "../store/gather.ts";
import { createDeviceCopy } from "../store/streams/device-copy.ts";
import type { DeviceStream, Frame, StateValue } from "../store/streams.ts";

/** The part of an account's `devices` that belongs to some of its farms: a stream of its own (HS-2). */
export interface FarmDevices {
  readonly stream: DeviceStream;
  /** Return true if the farms contain the key now. */
  sees(key: string, value?: StateValue): boolean;
  keys(): Iterable<string>;
  close(): void;
}

export interface FarmDevicesDeps {
  readonly source: DeviceStream;
  readonly farms: ReadonlySet<string>;
  readonly clock: Clock;
  readonly newEpoch: () => string;
  /** Called when the set of devices changes. */
  readonly onMembers: () => void;
  readonly onError: (error: unknown) => void;
}

const NOTHING: StateValue = {};

/**
 * Follow the account's stream step by step. The visible part of a step becomes one frame of this stream,
 * encoded once for all screens with the same farms (SUB-6). The stream has its own epoch and offsets: a
 * position is valid while this node has a screen for these farms.
 */
export function createFarmDevices(deps: FarmDevicesDeps): FarmDevices {
  const { source, farms, clock, newEpoch, onError } = deps;
  const all = new Map<string, StateValue>();
  const gathering = emptyGathering();
  const copy = createDeviceCopy(newEpoch(), onError);
  let position = { epoch: source.epoch, offset: source.offset };
  let farmFilter = createFarmFilter({}, farms);

  const look = (): void => {
    const state: FarmState = Object.fromEntries(all);
    farmFilter = createFarmFilter(state, farms);
  };
  const gather = (key: string): void => {
    const value = all.get(key);
    if (value !== undefined && farmFilter.sees(key, value))
      gatherSet(gathering, key, farmFilter.cut(key, value));
    else gatherDel(gathering, key);
  };
  const restart = (state: Readonly<Record<string, StateValue>>): void => {
    all.clear();
    for (const [key, value] of Object.entries(state)) all.set(key, value);
    look();
    for (const key of [...gathering.values.keys()]) gatherDel(gathering, key);
    for (const key of all.keys()) gather(key);
    takeGathered(gathering);
    copy.begin(newEpoch(), new Map(gathering.values));
    deps.onMembers();
  };
  const follow = (): void => {
    const step = source.changesSince(position);
    position = { epoch: step.epoch, offset: step.offset };
    if (step.kind === "snapshot") {
      restart(step.state);
      return;
    }
    let moved = false;
    const changed = new Set<string>();
    for (const [key, value] of Object.entries(step.set)) {
      moved ||= movesDevices(key, all.get(key), value);
      all.set(key, value);
      changed.add(key);
    }
    for (const key of step.del) {
      moved ||= movesDevices(key, all.get(key), undefined);
      all.delete(key);
      changed.add(key);
    }
    if (moved) {
      look();
      for (const key of [...all.keys(), ...gathering.values.keys()]) changed.add(key);
    }
    for (const key of changed) gather(key);
    const gathered = takeGathered(gathering);
    if (gathered.whole.size + gathered.del.length === 0) return;
    const frame: Frame = changeFrame(copy.stream.offset, gathered);
    copy.apply({ set: gathered.whole, del: gathered.del }, frame, clock.monotonic());
    if (moved) deps.onMembers();
  };

  const begun = source.changesSince(undefined);
  if (begun.kind === "snapshot") restart(begun.state);
  const stop = source.listen(follow);
  return {
    stream: copy.stream,
    sees: (key, value = NOTHING) => farmFilter.sees(key, value),
    keys: () => gathering.values.keys(),
    close: stop,
  };
}
