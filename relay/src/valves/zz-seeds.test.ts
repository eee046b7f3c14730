import fc from "fast-check";
import { test } from "vitest";
import { live } from "./testing/valve-invariants.ts";
import { anyStory } from "./testing/valve-story.ts";

test("seeds", async () => {
  await fc.assert(fc.asyncProperty(anyStory, live), {
    numRuns: Number(process.env.RUNS),
    seed: Number(process.env.SEED),
  });
}, 900_000);
