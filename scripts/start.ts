import { ROOT } from "./root.ts";
import { runServers } from "./start/run-servers.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

try {
  await buildWebIfNeeded(ROOT);
  process.exitCode = await runServers({
    root: ROOT,
    environment: process.env,
    nodeOptions: [],
    others: [],
    terminal: process.stdout.isTTY,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
