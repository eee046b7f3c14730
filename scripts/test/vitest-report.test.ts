import { describe, expect, it } from "vitest";
import { readReport } from "./vitest-report.ts";

const file = (name: string, ...statuses: string[]) => ({
  name: `/repository/${name}`,
  status: statuses.includes("failed") ? "failed" : "passed",
  assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index}` })),
});
const read = (files: unknown[], exitCode: number, ...expected: ("shared" | "testing" | "e2e")[]) =>
  readReport("/repository", { testResults: files }, [], exitCode, expected);

describe("counting tests", () => {
  it("[test] adds up the tests of all files", () => {
    const files = [file("shared/src/a.test.ts", "passed", "passed"), file("testing/b.test.ts", "passed")];
    expect(read(files, 0, "shared", "testing")).toEqual({ passed: 3, failed: 0, faults: [] });
  });

  it("[test] counts a failed test and names it", () => {
    expect(read([file("shared/src/a.test.ts", "passed", "failed")], 1, "shared")).toEqual({
      passed: 1,
      failed: 1,
      faults: ["failed: shared/src/a.test.ts > test 1"],
    });
  });

  it("[test] counts a skipped test as failed: no test is left out silently", () => {
    expect(read([file("shared/src/a.test.ts", "passed", "skipped", "todo")], 0, "shared")).toMatchObject({
      passed: 1,
      failed: 2,
    });
  });

  it("[test] counts a file that failed before its first test", () => {
    const broken = { ...file("shared/src/a.test.ts"), status: "failed" };
    expect(read([broken, file("shared/src/b.test.ts", "passed")], 1, "shared")).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });

  it("[test] counts a project that ran no test as a failure", () => {
    expect(read([file("testing/a.test.ts", "passed")], 0, "testing", "e2e")).toEqual({
      passed: 1,
      failed: 1,
      faults: ["failed: the project e2e has run no test"],
    });
  });

  it("[test] counts an error outside of the tests", () => {
    const result = read([file("shared/src/a.test.ts", "passed")], 1, "shared");
    expect(result).toMatchObject({ passed: 1, failed: 1 });
    expect(result.faults).toEqual([expect.stringContaining("Vitest ended with 1 though no test failed")]);
  });

  it("[test] says why a test failed, and which error stood outside of the tests", () => {
    const stack = (message: string) =>
      [`Error: ${message}`, ...Array.from({ length: 30 }, (_, line) => `    at file:${line}`)].join("\n");
    const failed = {
      ...file("shared/src/a.test.ts"),
      assertionResults: [{ status: "failed", fullName: "test 0", failureMessages: [stack("lost")] }],
    };
    const passed = file("shared/src/a.test.ts", "passed");
    const faults = (one: unknown, errors: unknown) =>
      readReport("/repository", { testResults: [one] }, errors, 1, ["shared"]).faults;
    expect(faults(failed, [])).toEqual([
      expect.stringMatching(/^failed: shared\/src\/a\.test\.ts > test 0\n {4}Error: lost\n/),
    ]);
    expect(faults(passed, [stack("no handler took me")])).toEqual([
      expect.stringContaining("belong to no test (a crashed worker, too)\n    Error: no handler took me\n"),
    ]);
    expect(faults(passed, [stack("long")])[0]?.split("\n")).toHaveLength(9);
  });

  it("[test] says that a worker crashed, beside the tests that it left unfinished", () => {
    const files = [file("shared/src/a.test.ts", "passed", "pending")];
    const crash = "Error: Worker exited unexpectedly";
    const result = readReport("/repository", { testResults: files }, [crash], 1, ["shared"]);
    expect(result).toEqual({
      passed: 1,
      failed: 2,
      faults: ["pending: shared/src/a.test.ts > test 1", expect.stringContaining(crash)],
    });
  });

  it("[test] refuses a report of another shape", () => {
    expect(() => readReport("/repository", { tests: [] }, [], 0, [])).toThrow();
  });
});
