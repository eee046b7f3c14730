import type { ListedWatering } from "@mulkko/shared/rest/waterings";
import { EDGE_MS } from "@mulkko/shared/rules/meter";
import type { Meter } from "../devices/meter.ts";
import {
  cut,
  flowBetween,
  lengthOf,
  MINUTE,
  openSpans,
  type Piped,
  type Span,
  withoutAll,
} from "../devices/pipe.ts";
import type { Valve } from "../devices/truth.ts";
import type { Machine } from "../network/machine.ts";

/** A watering as the relay has recorded it. */
interface Recorded extends Span {
  readonly valve: Valve;
  readonly litres: number | null;
  readonly isShared: boolean;
}

/** Share by which litres may be off, and the litre that a meter may count while its valves are closed (WAT-5). */
const SHARE = 0.05;
const IDLE_LITRES = 1;

/**
 * W-7: return what is wrong with the litres of an account's waterings; null if nothing is.
 *
 * A number may be off by 5 %, and by what WAT-5 cannot know:
 *
 * - a litre that flows while no valve is recorded as open, and the unit in which the meter counts;
 * - water that flowed unrecorded within one step of the meter around the run: two of its intervals and 20 s;
 * - a run is known to 20 s at each end where two runs share the meter, and they share it by their time;
 * - the meter's clock, which counts as right within 5 min (ORD-2), and the way of a reading without a time: they shift
 *   water from a run to the one beside it;
 * - a minute of water after the end, if another valve is open then: for so long an end counts as confirmed (WAT-1);
 * - the water around a power cut of the meter, up to its next reading: one fault hides less than one step.
 *
 * A record has the times of the farm API's clock, or, where these differ by less than 5 min, of the controller's
 * (ORD-2): it is held against the opening that is nearest by either.
 *
 * @param pipes the meter's valves
 * @param api the farm API's machine, by whose clock waterings are recorded
 * @param now true time, ms UTC
 */
export function wrongLitres(
  waterings: readonly ListedWatering[],
  meter: Meter,
  pipes: readonly Piped[],
  api: Machine,
  now: number,
): string | null {
  const { reportMs, unit } = meter.kind;
  const near = 2 * Math.max(reportMs, MINUTE) + EDGE_MS;
  const recorded = waterings.flatMap(({ number, start, end, litres, litresShared }): Recorded[] => {
    const valve = pipes.find((one) => one.valve.number === number)?.valve;
    if (!valve) return [];
    const from = nearest(
      timesOf(start, api),
      openSpans(valve).map((span) => span.from),
    );
    const ends = end === null ? [] : timesOf(end, api).filter((at) => at >= from);
    const to = nearest(
      ends,
      openSpans(valve).map((span) => span.to),
    );
    return [{ valve, from, to, litres, isShared: litresShared === true }];
  });
  const past = { from: Number.NEGATIVE_INFINITY, to: now };
  const flows = pipes.map(({ flow }) => flow);
  for (const one of recorded) {
    if (one.litres === null) continue;
    const { valve, from, to, litres } = one;
    const others = recorded.filter((other) => other !== one);
    const around = { from: from - near, to: Math.min(to + near, now) };
    const flow = pipes.find((pipe) => pipe.valve === valve)?.flow ?? 0;
    const of = (other: Valve): Span[] => others.filter((run) => run.valve === other);
    // All water of the opening that it records, but what other records have of it.
    const own = withoutAll(
      openSpans(valve)
        .filter((span) => cut(span, one).length > 0)
        .flatMap((span) => cut(span, past)),
      of(valve),
    );
    // It may have begun before the relay could know of it, and then counts from when it did.
    const least = (flow * lengthOf(own.flatMap((span) => cut(span, one)))) / MINUTE;
    const strange = pipes.map((pipe) => {
      const open = openSpans(pipe.valve).flatMap((span) => cut(span, around));
      const known = pipe.valve === valve ? [...of(valve), ...own] : of(pipe.valve);
      return (pipe.flow * lengthOf(withoutAll(open, known))) / MINUTE;
    });
    const unrecorded = strange.reduce((sum, litresOf) => sum + litresOf, 0);
    const shared = one.isShared ? sharedBy(one, others, pipes, reportMs) : 0;
    const shiftMs = meter.shiftBetween(around.from, around.to, api.offsets);
    // Beside another open valve, an end may be confirmed up to a minute later without a word (WAT-1).
    const unconfirmed = others.some((other) => cut(other, { from: to, to: to + MINUTE }).length > 0)
      ? MINUTE
      : 0;
    const mixed = (Math.max(...flows) * shiftMs * edgesNear(one, others, near + shiftMs)) / MINUTE;
    const slack =
      IDLE_LITRES +
      2 * unit +
      meter.hiddenBetween(around.from, around.to) +
      shared +
      mixed +
      (flow * unconfirmed) / MINUTE;
    const most = (flow * lengthOf(own)) / MINUTE + unrecorded;
    if (litres < least * (1 - SHARE) - slack || litres > most * (1 + SHARE) + slack)
      return `${valve.name} is said to have had ${litres} L from ${new Date(from).toISOString()} on, and had ${least.toFixed(1)} L (± ${slack.toFixed(1)})`;
  }
  const sum = recorded.reduce((all, { litres }) => all + (litres ?? 0), 0);
  const flowed = flowBetween(pipes, past.from, past.to);
  const slack = recorded.length * (IDLE_LITRES + unit);
  return sum > flowed * (1 + SHARE) + slack
    ? `the waterings are said to have had ${sum} L, and ${flowed.toFixed(1)} L flowed`
    : null;
}

/** Return the true times that a recorded time may stand for: as it is, and by each setting of a clock. All ms UTC. */
const timesOf = (text: string, machine: Machine): readonly number[] => [
  Date.parse(text),
  ...machine.whenShown(Date.parse(text)),
];

/** Return the one of some times that is nearest to any of the others; the first one, if there is nothing to be near to. */
const nearest = (times: readonly number[], others: readonly number[]): number => {
  const distance = (at: number): number => Math.min(...others.map((other) => Math.abs(other - at)));
  return times.toSorted((a, b) => distance(a) - distance(b))[0] ?? Number.POSITIVE_INFINITY;
};

/** Return the number of begins and ends of other runs in a run, or at most so many ms from it. */
const edgesNear = (one: Span, others: readonly Span[], withinMs: number): number =>
  others
    .flatMap(({ from, to }) => [from, to])
    .filter((at) => at > one.from - withinMs && at < one.to + withinMs).length;

/**
 * Return the water of a shared meter of which it is not known whose it is, L: while valves are open together it is
 * halved, whatever their flows; and each begin and end of a run is known to 20 s, within a step of the meter.
 */
function sharedBy(one: Span, others: readonly Span[], pipes: readonly Piped[], reportMs: number): number {
  const stepMs = EDGE_MS + reportMs;
  const flows = pipes.map(({ flow }) => flow);
  const together = lengthOf(others.flatMap((other) => cut(other, one)));
  const edges = edgesNear(one, others, stepMs);
  const difference = (Math.max(...flows) - Math.min(...flows)) / 2;
  return (together * difference + (edges + 2) * stepMs * Math.max(...flows)) / MINUTE;
}
