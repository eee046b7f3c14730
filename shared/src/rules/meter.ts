const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Interval of a meter that has not shown its own, ms. */
const UNKNOWN_INTERVAL = MINUTE;
/** Gaps between readings that show a meter's interval. */
const LEAST_GAPS = 2;
/** Intervals within which a reading is recent. */
const RECENT_INTERVALS = 2;
/** How exactly the begin and the end of a run are known, ms: a valve reports some seconds after it moved. */
export const EDGE_MS = 20 * SECOND;
/** How late a reading may be, ms: the meter must stand still for this long after a run. */
export const SETTLE_MS = 5 * MINUTE;
/** How exactly the time between two readings is known, ms, and as a share of it. */
const JITTER_MS = 5 * SECOND;
const JITTER_SHARE = 1 / 4;
/** A step shows the flow if its open time is this many times its uncertainty. */
const SHOWS_FLOW = 4;
/** Steps that show the flow of the same open channels: one alone may be a glitch. */
const LEAST_SAMPLES = 2;
/** Closed time in a step that shows the flow, and in the steps of a run, as a share of the open time, at most. */
const CLOSED_SHARE = 1;
const CLOSED_SHARE_OF_RUN = 1 / 2;
/** How far the flow may vary within a run. */
const STEADY = 1.5;
/** Steps by which a run's flow is checked, and the least length of one, ms. */
const STEPS_OF_RUN = 8;
const LEAST_STEP_MS = 10 * SECOND;
/** Most litres that a meter may count in its hours of log while no channel is open. */
const IDLE_LITRES = 1;
/** Flow of a pipe of 100 mm at 6 m/s, L/ms: no meter of a farm counts more. */
const LARGEST_FLOW = 2_800 / MINUTE;
/** Litres in which meters count, and the steps that show it. */
const RESOLUTIONS = [1_000, 500, 250, 100, 50, 25, 10, 5, 2.5, 1, 0.5, 0.25];
const LEAST_RESOLUTION = 0.1;
const LEAST_RISES = 4;
const UNKNOWN_RESOLUTION = 1;

/** A reading of a flow meter: its total in litres, and its time, ms UTC. */
export interface MeterReading {
  readonly at: number;
  readonly litres: number;
}

/** The time in which a channel was open, ms UTC; `to` is infinite while it is. */
export interface MeterRun {
  readonly channel: string;
  readonly from: number;
  readonly to: number;
  /** The largest flow of the channel by its owner, L/min. */
  readonly largestFlow?: number | null;
  /** When the end was confirmed, where that was long after it. */
  readonly confirmedAt?: number;
}

/**
 * The water of one run by its meter. `wait`: the meter has not reported long enough since the end; it may
 * until the given time, ms UTC. `unmeasured`: its readings prove no number.
 */
export type MeteredWater =
  | { readonly kind: "wait"; readonly until: number }
  | { readonly kind: "unmeasured" }
  | { readonly kind: "measured"; readonly litres: number; readonly isShared: boolean };

const UNMEASURED: MeteredWater = { kind: "unmeasured" };

/** The litres counted between two readings. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly litres: number;
  /** The total at its end. */
  readonly total: number;
}

/** A time in which the same channels of the meter were open. */
interface Phase {
  readonly from: number;
  readonly to: number;
  readonly channels: readonly string[];
}

/**
 * Return the litres of a run from the readings of its meter (WAT-5).
 *
 * A number needs three proofs:
 *
 * 1. Recent readings before and after the run.
 * 2. A meter that stands still while none of its channels is open, and never falls.
 * 3. A flow: each step fits the flow that other steps show for the same open channels, or at least the
 *    largest flow that the owner has set.
 *
 * @param readings of the meter from some hours before the start to the end and after, in any order
 * @param others all other runs on the same meter in that time, also those of the same channel
 */
export function meteredWater(
  run: MeterRun,
  readings: readonly MeterReading[],
  others: readonly MeterRun[],
): MeteredWater {
  const { confirmedAt = run.to } = run;
  // Until its end was confirmed its water may have run on, unseen beside that of another open channel.
  if (others.some((one) => overlap(one, run.to, confirmedAt) > 0)) return UNMEASURED;
  const steady = withoutGlitches(inOrder(readings));
  const settled = steady.findIndex(({ at }) => at >= run.to + SETTLE_MS);
  const interval = intervalBefore(steady.filter(({ at }) => at <= run.from));
  const recent = RECENT_INTERVALS * interval + EDGE_MS;
  const wait: MeteredWater = { kind: "wait", until: run.to + SETTLE_MS + recent };
  if (settled < 0) return wait;
  const judged = steady.slice(0, settled + 1);
  const first = judged.findLastIndex(({ at }) => at <= run.from - EDGE_MS);
  const last = judged.findIndex(({ at }) => at >= run.to + EDGE_MS);
  const [before, after] = [judged[first], judged[last]];
  if (before === undefined || after === undefined) return UNMEASURED;
  if (run.from - before.at > recent || after.at - run.to > recent) return UNMEASURED;

  const [from, to] = [judged[0]?.at ?? before.at, judged.at(-1)?.at ?? after.at];
  const runs = [run, ...others].filter((one) => one.to > from - EDGE_MS && one.from < to + EDGE_MS);
  const steps = stepsOf(judged);
  const strange = steps.findIndex(
    (step) => step.litres < 0 || (isIdle(step, runs) && step.litres > IDLE_LITRES),
  );
  // The newest reading may be a glitch, which only the next one can show.
  if (strange >= 0) return strange === steps.length - 1 && settled === steady.length - 1 ? wait : UNMEASURED;
  const idle = steps.filter((step) => isIdle(step, runs)).reduce((sum, { litres }) => sum + litres, 0);
  if (idle > IDLE_LITRES || !hasProvenFlow(run, runs, judged)) return UNMEASURED;
  return shareOf(run, runs, steps.slice(first, last));
}

/** Return the run's part of what the meter counted: each step is shared by the time of the open channels. */
function shareOf(run: MeterRun, runs: readonly MeterRun[], steps: readonly Step[]): MeteredWater {
  let litres = 0;
  let isShared = false;
  for (const step of steps) {
    const isOpen = runs.some((one) => overlap(one, step.from, step.to) > 0);
    const margin = isOpen ? 0 : EDGE_MS;
    const timeOf = (one: MeterRun) => overlap(one, step.from - margin, step.to + margin);
    const [own, all] = [timeOf(run), runs.reduce((sum, one) => sum + timeOf(one), 0)];
    if (own === 0) continue;
    litres += (step.litres * own) / all;
    isShared ||= all > own && step.litres > 0;
  }
  // A meter that did not move may have stopped counting, or report late.
  if (litres === 0) return UNMEASURED;
  return { kind: "measured", litres: Math.round(litres * 1_000) / 1_000, isShared };
}

/** Return true if every step of a run fits the flow that is known for its open channels. */
function hasProvenFlow(run: MeterRun, runs: readonly MeterRun[], readings: readonly MeterReading[]): boolean {
  const length = Math.max((run.to - run.from) / STEPS_OF_RUN, LEAST_STEP_MS);
  const before = readings.findLastIndex(({ at }) => at <= run.from - EDGE_MS);
  const after = readings.findIndex(({ at }) => at >= run.to + EDGE_MS);
  // The steps begin and end with those of the run, so that no other run takes part in them.
  const steps = stepsOf([
    ...thinned(readings.slice(0, before), length),
    ...thinned(readings.slice(before, after), length),
    ...thinned(readings.slice(after), length),
  ]);
  const phases = phasesOf(runs);
  const isOwn = ({ from, to }: Step): boolean => overlap(run, from - EDGE_MS, to + EDGE_MS) > 0;
  const own = steps.filter(isOwn);
  const ownFlow = flowsOf(own, phases);
  const anyFlow = flowsOf(steps, phases);
  const flowOf = ({ channels }: Phase): number | undefined =>
    ownFlow(channels) ?? anyFlow(channels) ?? sumOf(channels.map((one) => ownFlow([one]) ?? anyFlow([one])));
  const isClose = isCloseTo(run, readings, phases);
  const resolution = resolutionOf(readings);
  const mostOf = (step: Step): number | undefined =>
    sumOf(
      runs
        .filter((one) => overlap(one, step.from - EDGE_MS, step.to + EDGE_MS) > 0)
        .map(({ largestFlow, from, to }) =>
          largestFlow == null
            ? undefined
            : (largestFlow / MINUTE) *
              (overlap({ from, to }, step.from, step.to) +
                Math.min(EDGE_MS, (to - from) / 2) * edgesNear(step, [{ from, to }])),
        ),
    );
  return own.every((step) => {
    const near = phases.filter((phase) => overlap(phase, step.from - EDGE_MS, step.to + EDGE_MS) > 0);
    const flows = near.map(flowOf);
    const expected = sumOf(
      near.map((phase, index) => {
        const flow = flows[index];
        return flow === undefined ? undefined : flow * overlap(phase, step.from, step.to);
      }),
    );
    // A meter that mostly stands still has stopped, or counts in units too large for this run.
    if (flows.includes(0)) return false;
    const most = mostOf(step);
    if (most !== undefined && step.litres > most + resolution) return false;
    if (expected === undefined || !isClose) {
      // Without a flow to compare with, a reset within the step must be impossible.
      return most !== undefined && step.total > most + resolution;
    }
    const slack =
      EDGE_MS * edgesNear(step, near) * Math.max(0, ...flows.map((flow) => flow ?? 0)) + resolution;
    return step.litres <= expected * STEADY + slack && step.litres >= expected / STEADY - slack;
  });
}

/** Return true if the readings around a run do not include much time in which no channel was open. */
function isCloseTo(run: MeterRun, readings: readonly MeterReading[], phases: readonly Phase[]): boolean {
  const from = readings.findLast(({ at }) => at <= run.from + EDGE_MS)?.at ?? run.from;
  const to = readings.find(({ at }) => at >= run.to - EDGE_MS)?.at ?? run.to;
  const open = phases.reduce((sum, one) => sum + overlap(one, from, to), 0);
  return to - from - open <= open * CLOSED_SHARE_OF_RUN;
}

/**
 * Return the flow that a meter shows while the same channels are open, L/ms: the lower median of its steps, so
 * that one false step does not count.
 */
function flowsOf(
  steps: readonly Step[],
  phases: readonly Phase[],
): (channels: readonly string[]) => number | undefined {
  const samples = new Map<string, number[]>();
  for (const step of steps) {
    const near = phases.filter((phase) => overlap(phase, step.from, step.to) > 0);
    const [phase] = near;
    if (phase === undefined || near.some(({ channels }) => keyOf(channels) !== keyOf(phase.channels)))
      continue;
    const open = near.reduce((sum, one) => sum + overlap(one, step.from, step.to), 0);
    const jitter = Math.min(JITTER_MS, (step.to - step.from) * JITTER_SHARE);
    const isOpen = step.to - step.from - open <= open * CLOSED_SHARE;
    if (isOpen && open >= SHOWS_FLOW * (jitter + EDGE_MS * edgesNear(step, phases))) {
      const key = keyOf(phase.channels);
      samples.set(key, [...(samples.get(key) ?? []), step.litres / open]);
    }
  }
  return (channels) => {
    const known = samples.get(keyOf(channels)) ?? [];
    return known.length >= LEAST_SAMPLES ? lowerMedian(known) : undefined;
  };
}

const keyOf = (channels: readonly string[]): string => JSON.stringify(channels);

/** Return the number of begins and ends in a step, or so close to it that they may be in it. */
const edgesNear = (step: Step, spans: readonly { from: number; to: number }[]): number =>
  new Set(
    spans
      .flatMap(({ from, to }) => [from, to])
      .filter((edge) => edge > step.from - EDGE_MS && edge < step.to + EDGE_MS),
  ).size;

/** Return the times in which the same channels were open, in order, without those in which none was. */
function phasesOf(runs: readonly MeterRun[]): Phase[] {
  const edges = [...new Set(runs.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return edges.slice(1).flatMap((to, index) => {
    const from = edges[index] ?? to;
    const open = runs.filter((one) => one.from < to && one.to > from).map(({ channel }) => channel);
    return open.length === 0 ? [] : [{ from, to, channels: [...new Set(open)].sort() }];
  });
}

const isIdle = (step: Step, runs: readonly MeterRun[]): boolean =>
  !runs.some((run) => overlap(run, step.from - EDGE_MS, step.to + EDGE_MS) > 0);

const overlap = (run: { from: number; to: number }, from: number, to: number): number =>
  Math.max(0, Math.min(run.to, to) - Math.max(run.from, from));

/** Return the sum of numbers; undefined if one is unknown. */
const sumOf = (numbers: readonly (number | undefined)[]): number | undefined =>
  numbers.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );

const lowerMedian = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0;

const stepsOf = (readings: readonly MeterReading[]): Step[] =>
  readings.slice(1).map(({ at, litres }, index) => {
    const { at: from, litres: before } = readings[index] ?? { at, litres };
    return { from, to: at, litres: litres - before, total: litres };
  });

/** Return readings in order of time, one for each time. */
const inOrder = (readings: readonly MeterReading[]): MeterReading[] =>
  [...new Map(readings.map((reading) => [reading.at, reading])).values()].sort((a, b) => a.at - b.at);

/** Return readings that are at least a length apart, ms, from the first one on. */
function thinned(readings: readonly MeterReading[], length: number): MeterReading[] {
  const kept: MeterReading[] = [];
  for (const reading of readings) {
    const before = kept.at(-1);
    if (before === undefined || reading.at - before.at >= length) kept.push(reading);
  }
  return kept;
}

/**
 * Leave out a reading that the meter cannot have counted: no flow leads to it, or from it, and the next one
 * continues the one before. A counter so small that it may have been reset meanwhile proves no glitch.
 */
function withoutGlitches(readings: readonly MeterReading[]): MeterReading[] {
  const kept: MeterReading[] = [];
  for (const [index, reading] of readings.entries()) {
    const [before, next] = [kept.at(-1), readings[index + 1]];
    if (before !== undefined && next !== undefined) {
      const most = LARGEST_FLOW * Math.max(next.at - before.at, MINUTE);
      const goesOn =
        next.litres >= before.litres && next.litres - before.litres <= most && next.litres > most;
      const isDip = reading.litres < before.litres && next.litres - reading.litres > most;
      const isSpike = reading.litres > next.litres && reading.litres - before.litres > most;
      if (goesOn && (isDip || isSpike)) continue;
    }
    kept.push(reading);
  }
  return kept;
}

/** Return the meter's interval by its readings before a run, ms. */
function intervalBefore(readings: readonly MeterReading[]): number {
  const gaps = readings.slice(1).map(({ at }, index) => at - (readings[index]?.at ?? at));
  if (gaps.length < LEAST_GAPS) return UNKNOWN_INTERVAL;
  return Math.max(UNKNOWN_INTERVAL, gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0);
}

/** Return the litres in which a meter counts: what divides all its rises, one litre at least. */
function resolutionOf(readings: readonly MeterReading[]): number {
  const rises = stepsOf(readings).filter(({ litres }) => litres > 0);
  if (rises.length < LEAST_RISES) return UNKNOWN_RESOLUTION;
  const divides = (unit: number) =>
    rises.every(({ litres }) => Math.abs(litres / unit - Math.round(litres / unit)) < 1e-6);
  return RESOLUTIONS.find(divides) ?? LEAST_RESOLUTION;
}
