import { sentenceLine } from "../shared/src/server/run-server.ts";
import { ROOT } from "./root.ts";
import { runServers } from "./start/run-servers.ts";
import { buildWebIfNeeded } from "./web-build/build-web.ts";

try {
  await buildWebIfNeeded(ROOT, Boolean(process.stdout.isTTY));
  process.exitCode = await runServers({
    root: ROOT,
    environment: process.env,
    nodeOptions: [],
    others: [],
    terminal: process.stdout.isTTY,
  });
} catch (error) {
  process.stderr.write(sentenceLine(error instanceof Error ? error.message : String(error)));
  process.exitCode = 1;
}
