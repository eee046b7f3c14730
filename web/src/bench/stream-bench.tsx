import type { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { useState } from "react";
import { LogBoard } from "../domain/log/LogBoard.tsx";
import { DEFAULT_CHOICE, type RangeChoice } from "../domain/log/range/range.ts";
import type { BenchFarm } from "./bench-farm.ts";

/** Reporting interval of the device on the page's own clock, ms. */
const EVERY_MS = 10_000;

/** Shorter periods belong to rendering, not to the log, ms. */
const LEAST_PERIOD_MS = 10_000;

const BEGAN = Date.now();
let passed = 0;

/** A clock that advances with the readings only. */
export const streamClock: Clock = { now: () => BEGAN + passed, monotonic: () => passed };

const SOURCES = [{ kind: "sensor", id: "s0" }] as const;

/** Log of one soil moisture sensor, as on its page. */
export function StreamBench() {
  const [choice, setChoice] = useState<RangeChoice>(DEFAULT_CHOICE);
  return <LogBoard sources={SOURCES} choice={choice} onChoose={setChoice} />;
}

/** Answer a history query with generated data of the same device; null for any other path. */
export function historyAnswer(path: string): Response | null {
  if (!path.startsWith(relayPath.history)) return null;
  const query = new URLSearchParams(path.slice(path.indexOf("?")));
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  const count = Math.max(1, Number(query.get("buckets")));
  const step = Math.max(EVERY_MS, (to - from) / count);
  const times = Array.from({ length: Math.round((to - from) / step) }, (_, index) => from + index * step);
  const isPast = (t: number) => t < streamClock.now();
  const fields = Object.fromEntries(
    (query.get("fields") ?? "").split(",").map((name, place) => {
      const values = times.map((t) => (isPast(t) ? 30 + place + 5 * Math.sin(t / 1_000_000) : null));
      const statistics = { max: 36, min: 25, avg: 30, variance: 4 };
      return [name, { min: values, max: values, avg: values, last: values, statistics }];
    }),
  );
  const series = {
    sensorId: "s0",
    start: new Date(from).toISOString(),
    step,
    count: times.map((t) => (isPast(t) ? 1 : 0)),
    fields,
  };
  const answer: History = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    source: "log-buckets",
    series: [series],
  };
  return Response.json(answer);
}

/** Counts of everything in the page that could grow. */
export interface StreamCounts {
  readonly rules: number;
  readonly canvases: number;
  readonly elements: number;
}

const periods = new Map<number, { run: () => void; ms: number; due: number }>();
/** Above the ids that a browser assigns. */
let nextId = 1e9;

/** Run periodic queries on the page's own clock too. Call before the first render. */
export function takeTimers(): void {
  const { setInterval: set, clearInterval: clear } = globalThis;
  Reflect.set(globalThis, "setInterval", (run: () => void, ms: number): number => {
    if (ms < LEAST_PERIOD_MS) return Number(set(run, ms));
    nextId += 1;
    const id = nextId;
    periods.set(id, { run, ms, due: passed + ms });
    return id;
  });
  Reflect.set(globalThis, "clearInterval", (id: number | undefined) => {
    if (id === undefined || !periods.delete(id)) clear(id);
  });
}

function runPeriods(): void {
  for (const period of [...periods.values()]) {
    if (period.due > passed) continue;
    period.due = passed + period.ms;
    period.run();
  }
}

/** Create the functions that the benchmark calls in the page. */
export function createStreamRunner(farm: BenchFarm) {
  return {
    ready: () => document.querySelectorAll("canvas").length > 0,
    /** Send the given number of readings, one per frame. */
    async run(readings: number): Promise<void> {
      for (let count = 0; count < readings; count += 1) {
        passed += EVERY_MS;
        farm.receive(farm.nextFrame());
        runPeriods();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    counts: (): StreamCounts => ({
      rules: [...document.styleSheets].reduce((sum, sheet) => sum + sheet.cssRules.length, 0),
      canvases: document.querySelectorAll("canvas").length,
      elements: document.querySelectorAll("*").length,
    }),
  };
}
