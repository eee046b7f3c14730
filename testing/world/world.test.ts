import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Hunt } from "./hunt.ts";
import { edited, editsOf } from "./mutants/load-mutant.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import { drawPlan } from "./plan/draw-plan.ts";
import type { Plan } from "./plan/plan.ts";
import { readStory } from "./plan/stored-story.ts";
import { mistakeIn } from "./rules/mistakes.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const DAY_MS = 86_400_000;
/** The same all day, and others tomorrow. */
const TODAY = Math.floor(Date.now() / DAY_MS) * 1_000;
const WORLDS = 4;
const PATIENCE_MS = 300_000;

describe("[world]", () => {
  let hunt: Hunt;
  beforeAll(async () => {
    hunt = await Hunt.begin();
  }, PATIENCE_MS);
  afterAll(() => hunt.end());

  const stories = readdirSync(at("stories")).map((file) => ({
    file,
    ...readStory(readFileSync(at(`stories/${file}`), "utf8")),
  }));

  test.each(stories)("[$broke] does not come back: $file", { timeout: PATIENCE_MS }, async ({ plan }) => {
    const { violation, story } = await hunt.run(plan);
    expect(violation, story.join("\n")).toBeNull();
  });

  test.each(stories.flatMap(({ file, broke, mutant }) => (mutant ? [{ file, broke, mutant }] : [])))(
    "[$broke] is still broken by $mutant in $file",
    { timeout: PATIENCE_MS },
    async ({ file, broke, mutant }) => {
      const run = promisify(execFile)(process.execPath, [
        ...[at("run.ts"), "--story", at(`stories/${file}`), "--mutant", mutant],
      ]);
      await expect(run).rejects.toMatchObject({ stdout: expect.stringContaining(`${mutant}: ${broke}: `) });
    },
  );

  test.each(Array.from({ length: WORLDS }, (_, index) => TODAY + index))(
    "[W-1, W-2, W-3, W-4, W-5, W-6, W-7, W-8, W-9, W-10, W-12, W-13, W-14, W-15] no rule is broken in the world of seed %i",
    { timeout: PATIENCE_MS },
    async (seed) => {
      const { violation, story } = await hunt.seed(seed);
      expect(violation, story.join("\n")).toBeNull();
    },
  );

  test.each([
    ["one relay", (plan: Plan) => plan.relays === undefined],
    ["several relays", (plan: Plan) => plan.relays !== undefined],
  ])("[W-1] the same seed is the same story, with %s", { timeout: PATIENCE_MS }, async (_how, isWanted) => {
    let seed = TODAY;
    while (!isWanted(drawPlan(seed, 10))) seed += 1;
    const plan = drawPlan(seed, 10);
    const first = await hunt.run(plan);
    expect((await hunt.run(plan)).story).toEqual(first.story);
  });

  test.each(MUTANTS)("[world] the mutant $name still fits its file", (mutant) => {
    for (const edit of editsOf(mutant)) {
      const source = readFileSync(at(`../../${edit.file}`), "utf8");
      expect(edited(edit, source)).not.toBe(source);
    }
  });
});

test("[W-15] a line of a log names a mistake by the type of its error; a broken line is none", () => {
  const line = (type: string, message: string): string =>
    JSON.stringify({ level: 50, err: { type, message, stack: "" }, msg: "failed" });
  expect(mistakeIn(line("ReferenceError", 'no "x"'))).toBe('ReferenceError: no \\"x\\"');
  expect(mistakeIn(line("TypeError", "fetch failed: read ECONNRESET"))).toBeNull();
  expect(mistakeIn(line("StoreUnavailableError", "away"))).toBeNull();
});
