import { writeFile } from "node:fs/promises";
import type { Reporter } from "vitest/node";

/** The file that takes the errors, as a JSON array of texts. */
export const ERRORS_FILE = "MULKKO_ERRORS_OUTSIDE_TESTS";

/**
 * A reporter of Vitest for what its JSON report leaves out: errors that belong to no test, as a rejection without
 * a handler. They fail the run, and are printed in the middle of a long output.
 */
export default class ErrorsOutsideTests implements Reporter {
  async onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter["onTestRunEnd"]>>): Promise<void> {
    const file = process.env[ERRORS_FILE];
    if (file === undefined) throw new Error(`${ERRORS_FILE} must name a file`);
    await writeFile(file, JSON.stringify(errors.map((error) => error.stack ?? error.message)));
  }
}
