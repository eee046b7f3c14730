import { ensureEngines } from "./engines/ensure-engines.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/**
 * Run the journeys as every visitor: phone and desktop, light and dark, three languages: `pnpm e2e:full`.
 * Arguments are passed to Vitest: `pnpm e2e:full maps` runs the files with that name.
 */
const fault = await ensureEngines();
if (fault === null) {
  await buildWebIfNeeded(ROOT);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project=e2e", ...process.argv.slice(2)];
  process.exitCode = await runNode(args, ROOT, { ...process.env, E2E_FULL: "1" });
} else {
  console.error(fault);
  process.exitCode = 1;
}
