import { DAY_MS, farmWallClock, positionIn, wallClockOf } from "./local-clock.ts";

const LITRES_PER_GALLON = 3.785412;
const MINUTE_MS = 60_000;

/** Wall clock of the start of the recording and of each loop. */
const RECORDING_START = wallClockOf("2020-07-21 09:44");
const LOOP_MS = 14 * DAY_MS;
/** The loop in which the meter was new: the one that began on 2024-12-31. */
const FIRST_LOOP = 116;

/** One water use, at a constant rate. */
export interface WaterEvent {
  /** ms from the start of the recording. */
  readonly start: number;
  readonly duration: number;
  readonly litres: number;
}

/** Values of a flow meter. */
interface FlowReading {
  /** Litres since the meter was new; never decreases. */
  readonly flowmeter: number;
  /** L/min */
  readonly speed: number;
  /** Water uses since the meter was new. */
  readonly pumpopencount: number;
}

/**
 * Parse the recorded water uses. The rate is volume over duration, because the recording's own rate column is
 * wrong in places.
 *
 * @throws Error naming the line, where an event is invalid or lies outside the loop.
 */
export function parseWaterEvents(csv: string): WaterEvent[] {
  return csv
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .map((line, index) => {
      const [time = "", minutes = "", gallons = ""] = line.split(",");
      const start = wallClockOf(time) - RECORDING_START;
      const duration = Number(minutes) * MINUTE_MS;
      const litres = Number(gallons) * LITRES_PER_GALLON;
      if (!(start >= 0 && duration > 0 && litres >= 0 && start + duration <= LOOP_MS)) {
        throw new Error(`watering-events.csv line ${index + 2} cannot be read: "${line}"`);
      }
      return { start, duration, litres };
    });
}

/**
 * Return the meter's values at an instant (ms since 1970 UTC). The recording repeats every 14 days; totals
 * continue across the loops.
 */
export function flowAt(events: readonly WaterEvent[], instant: number): FlowReading {
  const into = farmWallClock(instant) - RECORDING_START;
  const loops = Math.floor(into / LOOP_MS) - FIRST_LOOP;
  const place = positionIn(LOOP_MS, into);
  let loopLitres = 0;
  let litres = 0;
  let speed = 0;
  let begun = 0;
  for (const event of events) {
    loopLitres += event.litres;
    const share = Math.min(1, Math.max(0, (place - event.start) / event.duration));
    litres += event.litres * share;
    if (place < event.start) continue;
    begun += 1;
    if (share < 1) speed += event.litres / (event.duration / MINUTE_MS);
  }
  return {
    flowmeter: Math.max(0, loops * loopLitres + litres),
    speed,
    pumpopencount: Math.max(0, loops * events.length + begun),
  };
}
