import { resolve } from "node:path";
import { runChecks } from "./check/run-checks.ts";

const { failed } = await runChecks(resolve(import.meta.dirname, ".."));
process.exitCode = failed === 0 ? 0 : 1;
