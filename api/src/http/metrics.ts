import { STORAGE_FAULTS } from "@mulkko/shared/rules/storage-fault";
import { isOperator } from "@mulkko/shared/server/operator-access";
import { metricsText, processMetrics } from "@mulkko/shared/server/process-metrics";
import fp from "fastify-plugin";
import { Counter, Gauge, Registry } from "prom-client";
import { ApiError } from "./api-error.ts";
import type { App } from "./server.ts";

/**
 * Serve `GET /metrics` as Prometheus text to operators; one registry per app, so that several can run in one process
 * (tests).
 */
export const metricsPlugin = fp<{ readonly token: string | undefined }>(
  async (app: App, { token }) => {
    const registry = new Registry();
    // It measures from the start on.
    processMetrics("mulkko_api_");
    const registers = [registry];
    /** Register a value that is read with the metrics; null omits it. */
    const gauge = (name: string, help: string, read: () => number | null): void => {
      new Gauge({
        name: `mulkko_api_${name}`,
        help,
        registers,
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    };
    const { storage, broker, database, ingest } = app;
    gauge("storing", "1 while readings of devices are stored", () => (storage.state.fault === null ? 1 : 0));
    new Gauge({
      name: "mulkko_api_storage_fault",
      help: "Why readings are not stored; 1 for the fault that it is",
      labelNames: ["fault"],
      registers,
      collect() {
        for (const fault of STORAGE_FAULTS) this.set({ fault }, storage.state.fault === fault ? 1 : 0);
      },
    });
    gauge("database_up", "1 while the database answers", () => (database.isUp() ? 1 : 0));
    gauge("broker_up", "1 while devices can reach the broker", () => (broker.isUp() ? 1 : 0));
    gauge(
      "disk_free_bytes",
      "Room of the data folder's file system",
      () => storage.state.disk?.freeBytes ?? null,
    );
    gauge(
      "disk_total_bytes",
      "Size of the data folder's file system",
      () => storage.state.disk?.totalBytes ?? null,
    );
    gauge(
      "disk_days_left",
      "Days until that is full at the present rate; absent while it does not fill",
      () => storage.state.disk?.daysLeft ?? null,
    );
    const stored = new Counter({
      name: "mulkko_api_messages_stored_total",
      help: "Readings and state reports of devices that were stored",
      registers,
    });
    ingest.onContacts((batch) => stored.inc(batch.length));
    const refused = new Counter({
      name: "mulkko_api_batches_refused_total",
      help: "Batches that the database did not take; their messages come again",
      registers,
    });
    ingest.whenRefused(() => refused.inc());
    new Counter({
      name: "mulkko_api_messages_rejected_total",
      help: "Messages that can never be stored, by why",
      labelNames: ["reason"],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(ingest.deadLetters.counts()))
          this.inc({ reason }, count);
      },
    });
    new Counter({
      name: "mulkko_api_broker_cut_total",
      help: "Connections that the broker in this process ended to protect the others, by why",
      labelNames: ["reason"],
      registers,
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(broker.cuts())) this.inc({ reason }, count);
      },
    });
    app.get("/metrics", { logLevel: "warn", schema: { hide: true } }, async (request, reply) => {
      if (!isOperator(request.raw, token)) {
        throw new ApiError(401, "unauthorized", "the metrics require METRICS_TOKEN");
      }
      await storage.look();
      return reply.type(registry.contentType).send(await metricsText(registry, "mulkko_api_"));
    });
  },
  { name: "metrics", dependencies: ["storage"] },
);
