import { globSync } from "node:fs";
import { LEAN_API_ENVIRONMENT, LEAN_API_OPTIONS } from "./process/lean-api.ts";
import { runNode } from "./process/run-node.ts";
import { ROOT } from "./root.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

/** Run every benchmark, one after the other so that none disturbs another: `pnpm bench fan-out` runs one. */
const asked = process.argv.slice(2);
const files = globSync("*/bench/*.bench.ts", { cwd: ROOT })
  .filter((file) => asked.length === 0 || asked.some((name) => file.includes(name)))
  .toSorted();
if (files.length === 0) {
  console.error(`There is no benchmark${asked.length === 0 ? "" : ` named ${asked.join(", ")}`}.`);
  process.exitCode = 1;
}
await buildWebIfNeeded(ROOT);
for (const file of files) {
  console.log(`\n── ${file}`);
  // Run the farm API within the benchmarks with the memory options of `start`.
  const code = file.startsWith("api/")
    ? await runNode([...LEAN_API_OPTIONS, file], ROOT, { ...LEAN_API_ENVIRONMENT, ...process.env })
    : await runNode([file], ROOT);
  if (code !== 0) process.exitCode = 1;
}
