import { ensureEngines } from "./engines/ensure-engines.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/**
 * Take a screenshot of every screen: `pnpm screenshots <folder> [phone | desktop-dark | …] [--group
 * sensors]`.
 */
const fault = await ensureEngines();
if (fault === null) {
  await buildWebIfNeeded(ROOT);
  process.exitCode = await runNode(["e2e/screenshots/take.ts", ...process.argv.slice(2)], ROOT);
} else {
  console.error(fault);
  process.exitCode = 1;
}
