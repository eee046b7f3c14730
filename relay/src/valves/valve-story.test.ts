import fc from "fast-check";
import { expect, test } from "vitest";
import { live } from "./testing/valve-invariants.ts";
import { anyStory } from "./testing/valve-story.ts";

const RUNS = 10_000;

test("[RUN-6] 10,000 stories: nothing shown that was not reported, no late opening, every run and intent ends", async () => {
  let lived = 0;
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      await live(story);
      lived += 1;
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  );
  expect(lived).toBe(RUNS);
}, 300_000);
