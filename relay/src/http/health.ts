import { monitorEventLoopDelay } from "node:perf_hooks";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { Timers } from "@mulkko/shared/rules/clock";
import { fileHandles, hasHandles } from "@mulkko/shared/server/file-handles";
import { repeat } from "@mulkko/shared/server/node-timers";
import fp from "fastify-plugin";
import type { LinkMonitor } from "../upstream/link-monitor.ts";

/** Measures the delay of the event loop. */
export interface EventLoopWatch {
  /** Return the 99th percentile of the delay over the last full window, ms. */
  p99(): number;
  close(): void;
}

const RESOLUTION_MS = 20;
const WINDOW_MS = 10_000;

export function watchEventLoop(timers: Timers): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let last = 0;
  const timer = repeat(timers, WINDOW_MS, () => {
    // The histogram holds whole intervals of its own timer; the part above the interval is delay.
    last = Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
    histogram.reset();
  });
  return {
    p99: () => last,
    close() {
      timer.cancel();
      histogram.disable();
    },
  };
}

interface Options {
  readonly link: LinkMonitor;
  /** 99th percentile of the event loop's delay, ms. */
  readonly eventLoopP99: () => number;
  /** NODE-3: what the store lacks to keep its data safe; the relay serves nevertheless, and reports it. */
  readonly shortcomings: () => readonly string[];
}

/** Delay above which the relay is too busy for more clients, ms. */
const EVENT_LOOP_LIMIT_MS = 200;

/**
 * `GET /health`: the process answers. `GET /ready`: it can serve; otherwise 503 with the missing deps. An
 * unavailable farm API also makes it not ready: a load balancer then sends new screens elsewhere, and none
 * disconnects.
 */
export const healthPlugin = fp<Options>(
  async (app, { link, eventLoopP99, shortcomings }) => {
    app.get(relayPath.health, { logLevel: "warn" }, async () => ({ status: "ok" }));
    app.get(relayPath.ready, { logLevel: "warn" }, async (_request, reply) => {
      const { upstream, mqtt, store, notStoring } = link.state;
      const delay = Math.round(eventLoopP99());
      const handles = await fileHandles();
      const checks = {
        upstream: { ok: upstream !== "down", state: upstream },
        mqtt: { ok: true, state: mqtt },
        storage: { ok: notStoring === null, fault: notStoring?.fault ?? null },
        store: { ok: store !== "down", state: store, missing: shortcomings() },
        handles: { ok: hasHandles(handles), ...handles },
        eventLoop: { ok: delay <= EVENT_LOOP_LIMIT_MS, p99Ms: delay },
      };
      const ready = Object.values(checks).every(({ ok }) => ok);
      return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not-ready", checks });
    });
  },
  { name: "health", fastify: "5.x" },
);
