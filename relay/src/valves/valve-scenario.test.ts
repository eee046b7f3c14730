import fc from "fast-check";
import { expect, test } from "vitest";
import { live } from "../../testing/valves/valve-invariants.ts";
import { anyScenario } from "../../testing/valves/valve-scenario.ts";

const RUNS = 10_000;

test("[RUN-6] 10,000 scenarios: shows nothing unreported, opens nothing late, ends every run and intent", async () => {
  let lived = 0;
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      await live(scenario);
      lived += 1;
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  );
  expect(lived).toBe(RUNS);
}, 300_000);
