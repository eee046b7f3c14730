import { runChecks } from "./check/run-checks.ts";
import { ROOT } from "./root.ts";

const { failed } = await runChecks(ROOT);
process.exitCode = failed === 0 ? 0 : 1;
