import type { Counts } from "../test/counts.ts";
import { CHECKS } from "./checks.ts";
import { type Check, describeFinding, type Finding } from "./finding.ts";

const attempt = async (check: Check, root: string): Promise<readonly Finding[]> => {
  try {
    return await check.run(root);
  } catch (error) {
    return [{ file: null, message: `could not be tried: ${String(error)}` }];
  }
};

/** Run every check on `root`, print the findings, and count the checks that pass. */
export const runChecks = async (root: string): Promise<Counts> => {
  const results = await Promise.all(
    CHECKS.map(async (check) => ({ check, findings: await attempt(check, root) })),
  );
  for (const { check, findings } of results) {
    console.log(`${findings.length === 0 ? "✓" : "✗"} ${check.name}`);
    for (const finding of findings) console.log(`    ${describeFinding(finding)}`);
  }
  const failed = results.filter(({ findings }) => findings.length > 0).length;
  return { passed: results.length - failed, failed };
};
