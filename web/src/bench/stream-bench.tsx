import type { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import { useState } from "react";
import { LogBoard } from "../log/LogBoard.tsx";
import { DEFAULT_CHOICE, type RangeChoice } from "../log/range/range.ts";
import type { BenchFarm } from "./bench-farm.ts";

/** The device speaks this often on the page's own clock, ms. */
const EVERY_MS = 10_000;

/** Periods under this are drawing's, not the log's, ms. */
const LEAST_PERIOD_MS = 10_000;

const BEGAN = Date.now();
let passed = 0;

/** A clock that moves with the readings alone. */
export const streamClock: Clock = { now: () => BEGAN + passed, monotonic: () => passed };

const SOURCES = [{ kind: "sensor", id: "s0" }] as const;

/** The log of one soil moisture sensor, as its page shows it. */
export function StreamBench() {
  const [choice, setChoice] = useState<RangeChoice>(DEFAULT_CHOICE);
  return <LogBoard sources={SOURCES} choice={choice} onChoose={setChoice} />;
}

/** The past of the same device, made up as it is asked for; null for what is no question for it. */
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

/** What a page holds that could grow. */
export interface StreamCounts {
  readonly rules: number;
  readonly canvases: number;
  readonly elements: number;
}

const periods = new Map<number, { run: () => void; ms: number; due: number }>();
/** Beyond what a browser gives out. */
let nextId = 1e9;

/** What is asked for again each minute follows the page's own clock too. To be called before anything is drawn. */
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

/** Runs in the page, called by the bench. */
export function createStreamRunner(farm: BenchFarm) {
  return {
    ready: () => document.querySelectorAll("canvas").length > 0,
    /** Lets so many readings come, one with each picture. */
    async run(readings: number): Promise<void> {
      for (let count = 0; count < readings; count += 1) {
        passed += EVERY_MS;
        farm.take(farm.nextFrame());
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
