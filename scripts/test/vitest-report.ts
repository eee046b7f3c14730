import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Static, Type } from "typebox";
import Value from "typebox/value";
import type { Counts } from "./counts.ts";
import type { Project } from "./projects.ts";

/** The fields of Vitest's JSON report that this reads. */
const Report = Type.Object({
  testResults: Type.Array(
    Type.Object({
      /** Absolute path of the test file. */
      name: Type.String(),
      status: Type.String(),
      assertionResults: Type.Array(
        Type.Object({
          status: Type.String(),
          fullName: Type.String(),
          failureMessages: Type.Optional(Type.Array(Type.String())),
        }),
      ),
    }),
  ),
});
type FileReport = Static<typeof Report>["testResults"][number];

/** The file that `ErrorsOutsideTests` writes. */
const Errors = Type.Array(Type.String());

/** The message and our own places; the whole stack stands in Vitest's output. */
const REASON_LINES = 8;
const FOREIGN_PLACE = /^\s+at .*node_modules/;

const reasonOf = (error: string): string => {
  const lines = stripVTControlCharacters(error)
    .split("\n")
    .filter((line) => !FOREIGN_PLACE.test(line));
  return lines
    .slice(0, REASON_LINES)
    .map((line) => `\n    ${line}`)
    .join("");
};

const projectOf = (root: string, file: string): string => {
  const path = relative(root, file);
  if (path.endsWith(".e2e.ts")) return "e2e";
  // Tests without rendering are a project of their own, so that no document is created for them.
  if (path.startsWith("web/") && path.endsWith(".test.ts")) return "web-core";
  return path.startsWith("e2e/") ? "testing" : (path.split("/")[0] ?? "");
};

/** A skipped test counts as failed: no test is left out silently. */
const countFile = ({ status, assertionResults }: FileReport): Counts => {
  const passed = assertionResults.filter((test) => test.status === "passed").length;
  const failed = assertionResults.length - passed;
  const brokeOutsideOfTests = status === "failed" && failed === 0;
  return { passed, failed: failed + (brokeOutsideOfTests ? 1 : 0) };
};

const describeFault = (root: string, file: FileReport): string[] =>
  file.assertionResults
    .filter((test) => test.status !== "passed")
    .map(({ status, fullName, failureMessages = [] }) => {
      const name = `${status}: ${relative(root, file.name)} > ${fullName}`;
      return name + failureMessages.map(reasonOf).join("");
    });

export interface RunResult extends Counts {
  /** Messages about tests that failed or did not run. */
  readonly faults: readonly string[];
}

/**
 * Read the report of a run of Vitest.
 *
 * @param errors outside of the tests, as `ErrorsOutsideTests` writes them; together they count as one failure
 * @param exitCode of Vitest; not 0 without a failed test or an error is a failure, too
 * @param expected projects that must have run at least one test each
 */
export const readReport = (
  root: string,
  report: unknown,
  errors: unknown,
  exitCode: number,
  expected: readonly Project[],
): RunResult => {
  const files = Value.Parse(Report, report).testResults;
  const outside = Value.Parse(Errors, errors);
  const ran = new Set(files.filter(({ assertionResults }) => assertionResults.length > 0));
  const projects = new Set([...ran].map((file) => projectOf(root, file.name)));
  const counts = files.map(countFile);
  const failedTests = counts.reduce((sum, { failed }) => sum + failed, 0);
  const empty = expected.filter((project) => !projects.has(project));
  const others = [
    ...empty.map((project) => `failed: the project ${project} has run no test`),
    ...(outside.length > 0
      ? [`failed: errors that belong to no test (a crashed worker, too)${outside.map(reasonOf).join("")}`]
      : []),
    ...(exitCode !== 0 && failedTests === 0 && empty.length === 0 && outside.length === 0
      ? [`failed: Vitest ended with ${exitCode} though no test failed; its output says why`]
      : []),
  ];
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: failedTests + others.length,
    faults: [...files.flatMap((file) => describeFault(root, file)), ...others],
  };
};
