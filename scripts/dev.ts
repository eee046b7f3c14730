import { join } from "node:path";
import { ROOT } from "./root.ts";
import { runServers } from "./start/run-servers.ts";

/**
 * Start API and relay again when one of their files changes; Vite serves the client and swaps its modules.
 */
try {
  process.exitCode = await runServers({
    root: ROOT,
    environment: process.env,
    nodeOptions: ["--watch"],
    others: [{ name: "web", args: ["node_modules/vite/bin/vite.js"], cwd: join(ROOT, "web") }],
    terminal: true,
    pageUrl: "http://localhost:5173",
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
