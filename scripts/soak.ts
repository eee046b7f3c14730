import { ensureEngines } from "./engines/ensure-engines.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/**
 * Run the wall over hundreds of page turns, with a report in `docs/internal/soak/`:
 * `pnpm soak [turns] [ms a turn]`.
 */
const fault = await ensureEngines("faults");
if (fault === null) {
  await buildWebIfNeeded(ROOT);
  process.exitCode = await runNode(["e2e/soak/run.ts", ...process.argv.slice(2)], ROOT);
} else {
  console.error(fault);
  process.exitCode = 1;
}
