import { runChecks } from "./check/run-checks.ts";
import { ensureEngines } from "./engines/ensure-engines.ts";
import { ROOT } from "./root.ts";
import { addCounts, type Counts, NO_TESTS, ONE_FAILED, ONE_PASSED } from "./test/counts.ts";
import { isProject, JOURNEYS, type Project, UNIT_PROJECTS } from "./test/projects.ts";
import { runVitest } from "./test/run-vitest.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

const faults: string[] = [];

const engines = async (): Promise<Counts> => {
  const fault = await ensureEngines();
  if (fault === null) return ONE_PASSED;
  faults.push(fault);
  return ONE_FAILED;
};

const webBuild = async (): Promise<Counts> => {
  try {
    await buildWebIfNeeded(ROOT);
    return ONE_PASSED;
  } catch (error) {
    faults.push(String(error));
    return ONE_FAILED;
  }
};

const vitest = async (projects: readonly Project[]): Promise<Counts> => {
  const result = await runVitest(ROOT, projects);
  faults.push(...result.faults);
  return result;
};

/** All projects, or the named ones: `pnpm test shared web`. */
const stepsFor = (asked: readonly Project[]): [string, () => Promise<Counts>][] => {
  const isWhole = asked.length === 0;
  const units = UNIT_PROJECTS.filter((project) => isWhole || asked.includes(project));
  const steps: [string, () => Promise<Counts>][] = [["Engines", engines]];
  if (isWhole) steps.push(["Checks", () => runChecks(ROOT)]);
  // Some tests below start a deployment, with the built client.
  if (isWhole || asked.includes(JOURNEYS) || asked.includes("scripts")) steps.push(["Web build", webBuild]);
  if (units.length > 0) steps.push([`Tests of ${units.join(", ")}`, () => vitest(units)]);
  if (isWhole || asked.includes(JOURNEYS)) {
    steps.push(["Journeys", () => vitest([JOURNEYS])]);
  }
  return steps;
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !isProject(name));
if (unknown !== undefined) {
  console.error(
    `There is no project ${unknown}; the projects are ${UNIT_PROJECTS.join(", ")} and ${JOURNEYS}.`,
  );
  process.exit(1);
}

let counts = NO_TESTS;
for (const [title, run] of stepsFor(asked.filter(isProject))) {
  console.log(`\n── ${title}`);
  counts = addCounts(counts, await run());
}
if (faults.length > 0) console.log(`\n── What failed\n${faults.join("\n")}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
