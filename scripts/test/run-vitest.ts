import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNode } from "../process/run-node.ts";
import { ERRORS_FILE } from "./errors-outside-tests.ts";
import type { Project } from "./projects.ts";
import { type RunResult, readReport } from "./vitest-report.ts";

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

/** Run these projects and count their tests; a project without a test counts as one failure. */
export const runVitest = async (root: string, projects: readonly Project[]): Promise<RunResult> => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-test-"));
  const file = join(folder, "report.json");
  const errors = join(folder, "errors.json");
  const code = await runNode(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--passWithNoTests",
      ...projects.map((project) => `--project=${project}`),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
      "--reporter=./scripts/test/errors-outside-tests.ts",
    ],
    root,
    { ...process.env, [ERRORS_FILE]: errors },
  );
  try {
    return readReport(root, await readJson(file), await readJson(errors), code, projects);
  } catch (error) {
    const fault = `failed: Vitest ended with ${code} and left no report (${String(error)})`;
    return { passed: 0, failed: 1, faults: [fault] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
