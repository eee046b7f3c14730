import { ensureEngines } from "./engines/ensure-engines.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/** Run the journeys; arguments are passed to Vitest: `pnpm e2e valve` runs the files with that name. */
const fault = await ensureEngines();
if (fault === null) {
  await buildWebIfNeeded(ROOT);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project=e2e", ...process.argv.slice(2)];
  process.exitCode = await runNode(args, ROOT);
} else {
  console.error(fault);
  process.exitCode = 1;
}
