import { relayPath } from "@mulkko/shared/rest/routes";
import { fileHandles, hasHandles } from "@mulkko/shared/server/file-handles";
import fp from "fastify-plugin";
import type { LinkMonitor } from "../upstream/link-monitor.ts";

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
