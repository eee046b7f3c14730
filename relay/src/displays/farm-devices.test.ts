import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, test } from "vitest";
import { createFakeFarm } from "../../testing/fake-farm.ts";
import { seenState } from "../account/farm-filter.ts";
import { type Frame, type StateValue, stateOf } from "../store/streams.ts";
import { createFarmDevices } from "./farm-devices.ts";

const fail = (error: unknown): never => {
  throw error;
};
const sensor = (n: number): StateValue => ({ info: { id: n }, reading: { moisture: n } });
const farm = (id: number, sensorIds: number[]): StateValue => ({
  info: { id, name: `farm ${id}`, description: null, sensorIds },
});

function createHarness(farms: string[]) {
  const clock = createFakeClock();
  const source = createFakeFarm(clock);
  const mine = source.account("a");
  const epochs = ["first", "second", "third"];
  const newEpoch = (): string => epochs.shift() ?? "last";
  const begin = () =>
    createFarmDevices({
      source: source.stream("a"),
      farms: new Set(farms),
      clock,
      newEpoch,
      onMembers: () => undefined,
      onError: fail,
    });
  return { mine, source: source.stream("a"), begin };
}

test("[HS-2] readings of another farm's sensors cause no frame", () => {
  const { mine, begin } = createHarness(["1"]);
  mine.change({
    "farm:1": farm(1, [1]),
    "farm:2": farm(2, [2]),
    "sensor:1": sensor(1),
    "sensor:2": sensor(2),
  });
  const devices = begin();
  const frames: Frame[] = [];
  devices.stream.listen((frame) => frames.push(frame));
  mine.change({ "sensor:2": sensor(9) });
  expect(frames).toEqual([]);
  mine.change({ "sensor:1": sensor(8), "sensor:2": sensor(8) });
  expect(frames).toHaveLength(1);
  expect(frames[0]?.keys).toEqual(["sensor:1"]);
  expect(frames[0]).toMatchObject({ from: 0, offset: 1 });
});

test("[HS-2] removes a sensor that leaves the farm, and adds a new one as a whole", () => {
  const { mine, begin } = createHarness(["1"]);
  mine.change({ "farm:1": farm(1, [1]), "sensor:1": sensor(1), "sensor:2": sensor(2) });
  const devices = begin();
  const at = { epoch: devices.stream.epoch, offset: devices.stream.offset };
  mine.change({ "farm:1": farm(1, [2]) });
  expect(devices.stream.changesSince(at)).toMatchObject({
    kind: "resume",
    set: { "sensor:2": sensor(2) },
    del: ["sensor:1"],
  });
  expect([...devices.keys()].sort()).toEqual(["farm:1", "sensor:2"]);
});

test("[SUB-3] a follower that applies every frame has the farms' state through all changes", () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = seededRandom(seed);
    const below = (n: number): number => Math.floor(random() * n);
    const { mine, source, begin } = createHarness(["1", "3"]);
    const some = () => [0, 1, 2, 3, 4, 5].filter(() => random() < 0.5);
    mine.change({ "farm:1": farm(1, some()), "farm:2": farm(2, some()) });
    const devices = begin();
    let at = { epoch: devices.stream.epoch, offset: devices.stream.offset };
    const copy = new Map(Object.entries(stateOf(devices.stream)));
    devices.stream.listen(() => {
      const step = devices.stream.changesSince(at);
      if (step.kind === "snapshot") {
        copy.clear();
        for (const [key, value] of Object.entries(step.state)) copy.set(key, value);
      } else {
        for (const [key, value] of Object.entries(step.set)) copy.set(key, value);
        for (const key of step.del) copy.delete(key);
      }
      at = { epoch: step.epoch, offset: step.offset };
    });
    for (let n = 0; n < 40; n += 1) {
      const dice = random();
      if (dice < 0.2) mine.change({ [`farm:${1 + below(3)}`]: farm(1 + below(3), some()) });
      else if (dice < 0.3) mine.change({}, [`sensor:${below(6)}`]);
      else mine.change({ [`sensor:${below(6)}`]: sensor(below(100)) });
      expect(Object.fromEntries(copy)).toEqual(seenState(stateOf(source), new Set(["1", "3"])));
    }
  }
});
