import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const WEB = resolve(import.meta.dirname, "../../web");

/** Build the client once more into a folder: the same client, as another build with other file names. */
export async function buildClient(folder: string, build: string): Promise<void> {
  const vite = resolve(WEB, "node_modules/vite/bin/vite.js");
  const child = spawn(
    process.execPath,
    [vite, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error"],
    {
      cwd: WEB,
      env: { ...process.env, BUILD_ID: build },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the client's second build ended with ${code}`);
}
