import { ensureEngines } from "./engines/ensure-engines.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/**
 * Run several relays over one Redis and the faults that can happen to them: `pnpm e2e:faults`. Arguments are
 * passed to Vitest.
 */
const fault = await ensureEngines("faults");
if (fault === null) {
  await buildWebIfNeeded(ROOT);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project=faults", ...process.argv.slice(2)];
  process.exitCode = await runNode(args, ROOT);
} else {
  console.error(fault);
  process.exitCode = 1;
}
