import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { drawFurther } from "./access-plan.ts";
import { drawAdminCloses } from "./admin-close-plan.ts";
import { drawAutomatic, drawAutomaticTroubles } from "./automatic-plan.ts";
import { drawCharges } from "./charge-plan.ts";
import { drawClosesOfAll } from "./close-all-plan.ts";
import { CREATED_THINGS, drawCreations } from "./creations-plan.ts";
import { around, between, pick, troubleMs } from "./draw.ts";
import { drawLogOuts } from "./leaving-plan.ts";
import { drawLinks } from "./links-plan.ts";
import { drawLora } from "./lora-plan.ts";
import { drawMeter, drawMeterTroubles } from "./meter-kind.ts";
import { drawPlainApi } from "./plain-plan.ts";
import {
  CLOCKS,
  type ClockOwner,
  type ControllerKind,
  FAILING,
  type Failing,
  type Happening,
  LINES,
  type LineName,
  PEOPLE,
  type PersonName,
  type Plan,
  SET_CLOCKS,
  type SensorKind,
  START,
  STORE_FAULTS,
  type Watering,
  type WrongClock,
} from "./plan.ts";
import { drawRelayStoreFaults } from "./relay-store-plan.ts";
import { drawBuilds, drawRelays } from "./relays-plan.ts";
import { drawSaves, drawSettingSaves, SAVED_THINGS } from "./saves-plan.ts";
import { drawRelaySteps, drawServerClocks } from "./server-clocks.ts";
import { drawZone } from "./zones.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The last part of a world is quiet, so that what must end by itself can be seen to end. */
const QUIET_MS = 6 * MINUTE;

type WithoutTime<H> = H extends Happening ? Omit<H, "at"> : never;
type Drawn = WithoutTime<Happening>;

/** How often something happens in this world, and how it is drawn. */
interface Kind {
  readonly weight: number;
  readonly draw: (random: Random, world: Mixture) => Drawn;
}

/** The mixture that a world is made of: no two have the same. */
interface Mixture {
  readonly valves: number;
  readonly people: readonly PersonName[];
  readonly deeds: readonly Kind[];
  readonly faults: readonly Kind[];
  readonly lines: readonly LineName[];
  readonly machines: readonly (typeof FAILING)[number][];
}

const drawLine = (random: Random, { lines }: Mixture): LineName => pick(random, lines);
const drawMachine = (random: Random, { machines }: Mixture): Failing => pick(random, machines);
const drawPerson = (random: Random, { people }: Mixture): PersonName => pick(random, people);
const drawValve = (random: Random, { valves }: Mixture): number => between(random, 1, valves);

/** Lengths of runs that people want: what is left of them after 25 s is no length of a mode's run. */
const RUNS_S = [30, 60, 300, 900] as const;

/** Deeds of people. */
const DEEDS: readonly Kind[] = [
  {
    weight: 6,
    draw: (random, world) => ({
      kind: "open",
      who: drawPerson(random, world),
      valve: drawValve(random, world),
      seconds: pick(random, RUNS_S),
    }),
  },
  {
    weight: 5,
    draw: (random, world) => ({
      kind: "close",
      who: drawPerson(random, world),
      valve: drawValve(random, world),
    }),
  },
  { weight: 1, draw: (random, world) => ({ kind: "take-back", who: drawPerson(random, world) }) },
  { weight: 1, draw: (random, world) => ({ kind: "reload", who: drawPerson(random, world) }) },
  {
    weight: 2,
    draw: (random, world) => ({ kind: "sleep", who: drawPerson(random, world), ms: troubleMs(random) }),
  },
  { weight: 0.7, draw: (random) => ({ kind: "shut-out", ms: between(random, 10_000, 60_000) }) },
  {
    weight: 2,
    draw: (random, world) => ({ kind: "hand", valve: drawValve(random, world), open: random() < 0.7 }),
  },
];

/** Faults of lines and machines. */
const FAULTS: readonly Kind[] = [
  {
    weight: 6,
    draw: (random, world) => ({
      kind: "hold",
      line: drawLine(random, world),
      direction: pick(random, ["there", "back", "both"]),
      ms: troubleMs(random),
    }),
  },
  {
    weight: 4,
    draw: (random, world) => ({ kind: "cut", line: drawLine(random, world), ms: troubleMs(random) }),
  },
  {
    weight: 4,
    draw: (random, world) => ({
      kind: "slow",
      line: drawLine(random, world),
      byMs: between(random, 200, 3_000),
      ms: troubleMs(random),
    }),
  },
  {
    weight: 3,
    draw: (random, world) => ({
      kind: "kill",
      machine: drawMachine(random, world),
      ms: between(random, 1_000, 30_000),
    }),
  },
  {
    weight: 1.5,
    draw: (random, world) => ({ kind: "freeze", machine: drawMachine(random, world), ms: troubleMs(random) }),
  },
  {
    weight: 1,
    draw: (random, world) => ({
      kind: "stick",
      valve: drawValve(random, world),
      ms: between(random, MINUTE, 5 * MINUTE),
    }),
  },
];

/** Offsets that the product must bear: any of a phone, and of a device what CMD-4 and ORD-2 allow. */
const OFFSETS_MS: Readonly<Record<ClockOwner, readonly number[]>> = {
  kim: [-3_000, 3_000, 40 * MINUTE, -9 * 60 * MINUTE, 366 * 24 * 60 * MINUTE],
  lee: [-1_000, 20_000, -40 * MINUTE, 13 * 60 * MINUTE],
  controller: [-8_000, -1_500, 1_500, 4_000],
  sensor: [-8_000, -30_000, 1_500, 30_000],
};
/** 100 ppm are nine seconds a day. */
const DRIFTS = [-1e-4, 0, 0, 1e-4] as const;

const wrongClock = (random: Random, of: ClockOwner): WrongClock => ({
  of,
  offsetMs: pick(random, OFFSETS_MS[of]),
  drift: pick(random, DRIFTS),
});

function draw(kinds: readonly Kind[], random: Random, world: Mixture): Drawn {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  for (const kind of kinds) {
    left -= kind.weight;
    if (left < 0) return kind.draw(random, world);
  }
  throw new RangeError("nothing to draw");
}

/** Draw some of the given things: one world has few of them, so that the same ones meet again and again. */
const some = <T>(random: Random, from: readonly T[]): readonly T[] => {
  const chosen = from.filter(() => random() < 0.6);
  return chosen.length > 0 ? chosen : from;
};

/** Shares by which a world has more or less of a kind than others. */
const SHARES = [0, 0.3, 1, 1, 1, 4] as const;

const weighted = (random: Random, kinds: readonly Kind[]): readonly Kind[] => {
  const drawn = kinds.map((kind) => ({ ...kind, weight: kind.weight * pick(random, SHARES) }));
  return drawn.some(({ weight }) => weight > 0) ? drawn : kinds;
};

/** Delay from one deed of a burst to the next: at once, soon, or in a while. */
const nextMs = (random: Random): number =>
  pick(random, [
    between(random, 0, 500),
    between(random, 0, 3 * SECOND),
    between(random, 0, 3 * SECOND),
    between(random, 5 * SECOND, 40 * SECOND),
  ]);

/** Added to a seed for the stream of its controller's make, and the share of Shellys among those with driven valves. */
const MAKE_PART = 800_001;
const SHELLY = 0.5;

/** Added to a seed for the stream of its meter, so that all else of a world stays as it was. */
const METER_PART = 700_001;

/** Share of bursts whose faults are all of one line: two faults of one way hurt more than two of two. */
const FOCUSED = 0.4;
/** Share of bursts that go on where their last trouble ends: much is decided there. */
const ENDED = 0.5;

/** Random streams of their own: what they draw leaves everything else as it was. */
const SERVER_STREAM = 34_000_001;
const SILENCE_STREAM = 34_000_002;

/** Steps of a clock, ms: NTP after a while, by hand, and after a battery. */
const STEPS_MS = [-2_000, 2_000, -30_000, 30_000, -10 * MINUTE, 10 * MINUTE, -60 * MINUTE] as const;

/** Worlds of this length have silences after which a device is offline, and fewer other things in an hour. */
const LONG_MINUTES = 120;
const LONG_PAUSES = 8;

/** Draw long silences of the sensor: its power or its line is away. */
function drawSilences(random: Random, lengthMs: number): Happening[] {
  const drawn: Happening[] = [];
  let at = between(random, MINUTE, 30 * MINUTE);
  while (at < lengthMs - 70 * MINUTE) {
    const ms = between(random, 58 * MINUTE, 95 * MINUTE);
    const how = pick(random, ["kill", "kill", "cut", "hold"] as const);
    if (how === "kill") drawn.push({ at, kind: "kill", machine: "sensor", ms });
    else if (how === "cut") drawn.push({ at, kind: "cut", line: "sensor-broker", ms });
    else drawn.push({ at, kind: "hold", line: "sensor-broker", direction: "both", ms });
    at += ms + between(random, 0, 40 * MINUTE);
  }
  return drawn;
}

function setClock(random: Random, at: number): Happening {
  const of = pick(random, SET_CLOCKS);
  const steps = of === "sensor" ? STEPS_MS.filter((ms) => Math.abs(ms) < 60 * MINUTE) : STEPS_MS;
  return { at, kind: "set-clock", of, byMs: pick(random, steps) };
}

/** Draw troubles of the servers' stores and clocks, beside what happens already. */
function drawServerTroubles(random: Random, others: readonly Happening[], end: number): Happening[] {
  const near = (): number => around(random, others.length > 0 ? pick(random, others).at : 0, end);
  const drawn: Happening[] = [];
  if (random() < 0.3) {
    const faults = between(random, 1, 5);
    for (let one = 0; one < faults; one += 1)
      drawn.push({ at: near(), kind: "store", how: pick(random, STORE_FAULTS), ms: troubleMs(random) });
  }
  if (random() < 0.2) {
    const steps = between(random, 1, 3);
    for (let one = 0; one < steps; one += 1) drawn.push(setClock(random, near()));
  }
  return drawn;
}

/**
 * Draw a world. What happens comes in bursts, because faults hurt where they meet; and each world has its own mixture of
 * happenings, lines and machines, because what is one of many everywhere never meets itself.
 *
 * @param minutes length of the world
 */
export function drawPlan(seed: number, minutes = 30, valves = 2): Plan {
  const random = seededRandom(seed);
  const controller: ControllerKind = {
    driver: random() < 0.3 ? "tasmota" : "native",
    reportMs: pick(random, [10 * SECOND, 30 * SECOND, 60 * SECOND]),
    hasClock: random() < 0.8,
    hasWill: random() < 0.5,
    isTerse: random() < 0.3,
    turnMs: pick(random, [200, 1_400, 3_000]),
  };
  const sensor: SensorKind = {
    reportMs: pick(random, [5 * SECOND, 20 * SECOND, 60 * SECOND]),
    hasClock: random() < 0.5,
  };
  const waterings: Watering[] = [];
  for (let one = 1; controller.driver === "tasmota" && one <= valves; one += 1) {
    if (random() < 0.4) continue;
    const mode = pick(random, ["reservation", "period"] as const);
    const runMinutes = between(random, 2, 4);
    const minutes = mode === "period" ? between(random, runMinutes + 2, 10) : between(random, 2, 24);
    waterings.push({ valve: one, mode, minutes, runMinutes });
  }
  const clocks = CLOCKS.filter(() => random() < 0.4).map((of) => wrongClock(random, of));
  const people = random() < 0.5 ? PEOPLE : PEOPLE.slice(0, 1);
  const world: Mixture = {
    valves,
    people,
    deeds: weighted(random, DEEDS),
    faults: weighted(random, FAULTS),
    lines: some(
      random,
      LINES.filter((line) => line !== "meter-broker" && (line !== "lee-relay" || people.length > 1)),
    ),
    machines: some(
      random,
      FAILING.filter((machine) => machine !== "meter"),
    ),
  };
  const lengthMs = minutes * MINUTE;
  const isLong = minutes >= LONG_MINUTES;
  const happenings: Happening[] = [];
  const end = lengthMs - QUIET_MS;
  let at = between(random, SECOND, 20 * SECOND);
  /** End of the last trouble of the burst. */
  let troubledUntil = 0;
  const add = (drawn: Drawn, afterMs: number): void => {
    at += afterMs;
    if (at >= end) return;
    happenings.push({ at, ...drawn });
    if ("ms" in drawn && drawn.ms !== undefined) troubledUntil = at + drawn.ms;
  };
  const fault = (line: LineName | null): Drawn => {
    const drawn = draw(world.faults, random, world);
    return line !== null && "line" in drawn ? { ...drawn, line } : drawn;
  };
  const deeds = (count: number): void => {
    for (let one = 0; one < count; one += 1) add(draw(world.deeds, random, world), nextMs(random));
  };
  while (at < end) {
    // A person does something, something goes wrong, people go on, and it ends.
    if (random() < 0.7) add(draw(world.deeds, random, world), 0);
    const line = random() < FOCUSED ? drawLine(random, world) : null;
    const faults = pick(random, [0, 1, 1, 1, 2, 2]);
    for (let one = 0; one < faults; one += 1) add(fault(line), between(random, 0, 4 * SECOND));
    deeds(between(random, 1, 4));
    if (random() < ENDED && troubledUntil > at) {
      at = Math.max(at, troubledUntil - between(random, 0, 4 * SECOND));
      if (random() < 0.5) add(fault(line), between(random, 0, 5 * SECOND));
      deeds(between(random, 1, 2));
    }
    const pause = pick(random, [between(random, 0, 20 * SECOND), between(random, 20 * SECOND, 90 * SECOND)]);
    at += isLong ? LONG_PAUSES * pause : pause;
  }
  const bare = { seed, lengthMs, controller, clocks, people: [...people] };
  const drawn = drawPlainApi(seed, end);
  const several = drawRelays(seed, happenings, end);
  if (several) happenings.push(...several.happenings);
  const relays = { ...(several && { relays: several.relays }), ...drawBuilds(seed) };
  if (drawn) {
    const steps = drawRelaySteps(seed, [...happenings, ...drawn.happenings], end);
    const saves = drawSaves(seed, [...happenings, ...drawn.happenings], people, ["farm", "run-limit"], end);
    const settings = drawSettingSaves(seed, people, end);
    const created = drawCreations(seed, [...happenings, ...drawn.happenings], people, ["farm"], end);
    const closes = drawClosesOfAll(seed, happenings, people, end);
    const full = several ? [] : drawRelayStoreFaults(seed, happenings, end);
    const logOuts = drawLogOuts(seed, people, end);
    const others = [...steps, ...saves, ...settings, ...created, ...closes, ...full, ...logOuts];
    const all = [...happenings, ...drawn.happenings, ...others].sort((one, other) => one.at - other.at);
    return { ...bare, ...relays, sensor, plain: drawn.plain, waterings: [], happenings: all };
  }
  if (isLong) happenings.push(...drawSilences(seededRandom(seed + SILENCE_STREAM), lengthMs));
  happenings.push(...drawServerTroubles(seededRandom(seed + SERVER_STREAM), happenings, end));
  const ofMake = seededRandom(seed + MAKE_PART);
  if (controller.driver === "tasmota" && ofMake() < SHELLY) controller.driver = "shelly-gen2";
  const ofMeter = seededRandom(seed + METER_PART);
  const meter = drawMeter(ofMeter);
  if (meter) happenings.push(...drawMeterTroubles(ofMeter, meter, end));
  const { further, happenings: more } = drawFurther(seed, end);
  happenings.push(...more);
  // Several relays take the time of their Redis.
  const servers = several ? null : drawServerClocks(seed, happenings, end);
  happenings.push(...(servers?.happenings ?? []));
  const taken = waterings.map(({ valve }) => valve);
  const automatic = controller.driver === "native" ? null : drawAutomatic(seed, valves, taken);
  if (automatic) happenings.push(...drawAutomaticTroubles(seed, end));
  happenings.push(...drawSaves(seed, happenings, people, SAVED_THINGS, end));
  happenings.sort((one, other) => one.at - other.at);
  const lora = automatic && drawLora(seed, end);
  const zone = waterings.length > 0 ? drawZone(seed, lengthMs, START) : null;
  const others = waterings.filter(({ valve }) => valve !== automatic?.valve);
  const planned = others.map((one): Watering => {
    if (!zone || (one.mode === "period" && !zone.isReserved())) return one;
    return { ...one, mode: "reservation", onTime: zone.onTime() };
  });
  const isFree = (valve: number): boolean =>
    valve !== automatic?.valve && planned.every((one) => one.valve !== valve);
  const free = Array.from({ length: valves }, (_, place) => place + 1).filter(isFree);
  happenings.push(...drawCharges(seed, happenings, people, free, end));
  happenings.push(...drawSettingSaves(seed, people, end));
  const closes = drawClosesOfAll(seed, happenings, people, end);
  const full = several ? [] : drawRelayStoreFaults(seed, [...happenings, ...closes], end);
  happenings.push(...drawCreations(seed, happenings, people, CREATED_THINGS, end));
  const isOfSoil = (valve: number): boolean => valve === automatic?.valve;
  const linked = Array.from({ length: valves }, (_, place) => place + 1).filter((one) => !isOfSoil(one));
  happenings.push(...drawLinks(seed, people, linked, end));
  happenings.push(...closes, ...full);
  if (further.some(({ name }) => name === "park")) happenings.push(...drawAdminCloses(seed, happenings, end));
  happenings.sort((one, other) => one.at - other.at);
  return {
    ...bare,
    ...relays,
    ...(zone && { zone: zone.zone, ...(zone.start !== null && { start: zone.start }) }),
    waterings: planned,
    ...(automatic && { automatic }),
    ...(lora && { lora }),
    sensor,
    ...(meter && { meter }),
    ...(servers && { serverClock: servers.serverClock }),
    further,
    happenings,
  };
}
