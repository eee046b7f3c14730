import { Counter, Registry } from "prom-client";
import { expect, test } from "vitest";
import { metricsText, processMetrics } from "./process-metrics.ts";

test("[metrics] all apps of a process share what Node itself measures, and keep their own numbers", async () => {
  const apps = [new Registry(), new Registry()].map((registry, index) => {
    new Counter({ name: "test_calls", help: "Calls", registers: [registry] }).inc(index + 1);
    return registry;
  });
  const texts = await Promise.all(apps.map((app) => metricsText(app, "test_")));
  for (const [index, text] of texts.entries()) {
    expect(text).toContain(`test_calls ${index + 1}\n`);
    expect(text).toMatch(/^test_process_resident_memory_bytes \d/m);
  }
  expect(processMetrics("test_")).toBe(processMetrics("test_"));
});
