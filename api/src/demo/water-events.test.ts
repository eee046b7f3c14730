import { describe, expect, test } from "vitest";
import { loadRecordings } from "./replay.ts";
import { flowAt, parseWaterEvents } from "./water-events.ts";

const HEAD = "start,duration_min,volume_gal,label";
/** The start of a loop on the farm's wall clock: 2020-07-21 09:44 and 160 × 14 days. */
const LOOP_START = Date.parse("2020-07-21T09:44:00+09:00") + 160 * 14 * 86_400_000;

describe("flowAt", () => {
  test("[demo] adds overlapping water uses and counts them as they begin", () => {
    const events = parseWaterEvents(
      [HEAD, "2020-07-21 10:44,10,100,irrigation", "2020-07-21 10:49,10,50,hose"].join("\n"),
    );
    const before = flowAt(events, LOOP_START);
    const both = flowAt(events, LOOP_START + 67 * 60_000);
    expect(before.speed).toBe(0);
    expect(both.speed).toBeCloseTo((10 + 5) * 3.785412);
    expect(both.flowmeter - before.flowmeter).toBeCloseTo((70 + 10) * 3.785412);
    // 7 minutes into the first and 2 minutes into the second use.
    expect(both.pumpopencount - before.pumpopencount).toBe(2);
  });

  test("[demo] never decreases, even across the end of the 14-day loop", () => {
    const { waterEvents } = loadRecordings();
    const end = LOOP_START + 14 * 86_400_000;
    let last = flowAt(waterEvents, end - 7_200_000);
    for (let instant = end - 7_190_000; instant < end + 7_200_000; instant += 10_000) {
      const next = flowAt(waterEvents, instant);
      expect(next.flowmeter).toBeGreaterThanOrEqual(last.flowmeter);
      expect(next.pumpopencount).toBeGreaterThanOrEqual(last.pumpopencount);
      last = next;
    }
    const loopLitres = waterEvents.reduce((sum, event) => sum + event.litres, 0);
    expect(flowAt(waterEvents, end).flowmeter - flowAt(waterEvents, LOOP_START).flowmeter).toBeCloseTo(
      loopLitres,
    );
  });

  test("[demo] names the line of an invalid event", () => {
    expect(() => parseWaterEvents(`${HEAD}\n2020-07-21 10:44,ten,100,hose`)).toThrow("line 2");
    expect(() => parseWaterEvents(`${HEAD}\n2020-08-04 09:40,30,100,hose`)).toThrow("line 2");
  });
});
