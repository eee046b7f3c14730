const MINUTE = 60_000;
/** Interval of a meter that has not shown its own, ms. */
const UNKNOWN_INTERVAL = MINUTE;
/** Gaps between readings that show a meter's interval. */
const LEAST_GAPS = 2;
/** Intervals within which a reading is recent. */
const RECENT_INTERVALS = 2;
/** How much more than its largest reported flow a meter may count. */
const FLOW_MARGIN = 2;
/** Flow of a pipe of 100 mm at 6 m/s, L/min: the most that a meter without a reported flow may count. */
const LARGEST_FLOW = 2_800;

/** A reading of a flow meter: its total in litres, its flow if it reports one (L/min), and its time, ms UTC. */
export interface MeterReading {
  readonly at: number;
  readonly litres: number;
  readonly flow?: number | null;
}

/** The time in which a channel was open, ms UTC; `to` is infinite while it is. */
export interface MeterRun {
  readonly from: number;
  readonly to: number;
}

/**
 * The water of one run by its meter. `wait`: the meter has not reported since the end. `unmeasured`: its
 * readings prove no number.
 */
export type MeteredWater =
  | { readonly kind: "wait" }
  | { readonly kind: "unmeasured" }
  | { readonly kind: "measured"; readonly litres: number; readonly isShared: boolean };

const UNMEASURED: MeteredWater = { kind: "unmeasured" };

/**
 * Return the litres of a run from the readings of its meter (WAT-5).
 *
 * The reading before the start and the one after the end must be recent: at most twice the meter's interval
 * away. None between may fall, as after a reset, an exchange or an overflow, and no step may be larger than
 * the meter's flow allows. A fall that is taken back, as after a restart of a meter, is left out.
 *
 * @param readings of the meter from some intervals before the start to the end and after, in any order
 * @param others runs of other channels on the same meter: each step is shared by the time that they were open
 */
export function meteredWater(
  run: MeterRun,
  readings: readonly MeterReading[],
  others: readonly MeterRun[],
): MeteredWater {
  const steady = withoutDips([...readings].sort((a, b) => a.at - b.at));
  const first = steady.findLastIndex(({ at }) => at <= run.from);
  const last = steady.findIndex(({ at }) => at >= run.to);
  if (last < 0) return { kind: "wait" };
  const [before, after] = [steady[first], steady[last]];
  if (before === undefined || after === undefined) return UNMEASURED;
  const recent = RECENT_INTERVALS * intervalBefore(steady.slice(0, first + 1));
  if (run.from - before.at > recent || after.at - run.to > recent) return UNMEASURED;
  const mostPerMs = largestFlow(steady) / MINUTE;
  let litres = 0;
  let isShared = false;
  for (let index = first; index < last; index += 1) {
    const [from, to] = [steady[index], steady[index + 1]];
    if (from === undefined || to === undefined) return UNMEASURED;
    const step = to.litres - from.litres;
    if (step < 0 || step > mostPerMs * Math.max(to.at - from.at, MINUTE)) return UNMEASURED;
    const own = overlap(run, from.at, to.at);
    const foreign = others.reduce((sum, other) => sum + overlap(other, from.at, to.at), 0);
    if (own === 0) continue;
    litres += (step * own) / (own + foreign);
    isShared ||= foreign > 0 && step > 0;
  }
  return { kind: "measured", litres: Math.round(litres * 1_000) / 1_000, isShared };
}

const overlap = (run: MeterRun, from: number, to: number): number =>
  Math.max(0, Math.min(run.to, to) - Math.max(run.from, from));

/** Leave out readings below an earlier one that a later one reaches again: the meter did not count back. */
function withoutDips(readings: readonly MeterReading[]): MeterReading[] {
  /** The largest reading after each one. */
  const laterMost = new Array<number>(readings.length).fill(Number.NEGATIVE_INFINITY);
  for (let index = readings.length - 2; index >= 0; index -= 1) {
    const next = readings[index + 1]?.litres ?? Number.NEGATIVE_INFINITY;
    laterMost[index] = Math.max(next, laterMost[index + 1] ?? Number.NEGATIVE_INFINITY);
  }
  const kept: MeterReading[] = [];
  for (const [index, reading] of readings.entries()) {
    const before = kept.at(-1)?.litres ?? Number.NEGATIVE_INFINITY;
    if (reading.litres < before && (laterMost[index] ?? 0) >= before) continue;
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

/** Return the largest flow that the meter may have counted, L/min: by what it reported, or that of a large pipe. */
function largestFlow(readings: readonly MeterReading[]): number {
  const most = Math.max(0, ...readings.map(({ flow }) => flow ?? 0));
  return most > 0 ? most * FLOW_MARGIN : LARGEST_FLOW;
}
