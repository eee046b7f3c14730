import { readFile } from "node:fs/promises";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RelayHarness, startRelayHarness } from "../../testing/relay-harness.ts";

const Dashboard = Type.Object({
  panels: Type.Array(
    Type.Object({ title: Type.String(), targets: Type.Array(Type.Object({ expr: Type.String() })) }),
  ),
});

const fromRoot = (file: string): Promise<string> =>
  readFile(new URL(`../../../${file}`, import.meta.url), "utf8");

/** Return the names of series in a Prometheus text: a histogram has three. */
const seriesOf = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );

describe("the example dashboard", () => {
  let relay: RelayHarness;
  let series: Set<string>;
  beforeAll(async () => {
    relay = await startRelayHarness();
    series = seriesOf(await (await fetch(`${relay.origin}/metrics`)).text());
  });
  afterAll(() => relay.close());

  it("[metrics] uses only series that a running relay has", async () => {
    const dashboard = parseJson(Dashboard, await fromRoot("ops/grafana-dashboard.json"));
    if (!dashboard.ok) throw new Error(`${dashboard.path} ${dashboard.message}`);
    for (const { title, targets } of dashboard.value.panels) {
      const asked = targets.flatMap(({ expr }) => expr.match(/mulkko_\w+/g) ?? []);
      expect(asked, title).not.toEqual([]);
      // The farm API's series have their own test.
      const own = asked.filter((name) => name.startsWith("mulkko_relay_"));
      for (const name of own) expect(series, title).toContain(name);
    }
  });

  it("[metrics] every metric of the relay is explained in docs/operations.md", async () => {
    const document = await fromRoot("docs/operations.md");
    const own = [...series].filter((name) => !/_(nodejs|process)_/.test(name));
    expect(own.length).toBeGreaterThan(15);
    for (const name of own) {
      const metric = name.replace(/^(mulkko_relay_.*_seconds)_(bucket|sum|count)$/, "$1");
      expect(document).toContain(`\`${metric.replace("mulkko_relay_", "")}\``);
    }
  });
});
