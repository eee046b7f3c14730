import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const FILE = join(import.meta.dirname, "free-port.ts");

/** Ports that another process is given, which has ended when they are known. */
async function portsElsewhere(count: number): Promise<number[]> {
  const script = `
    import { freePort } from ${JSON.stringify(FILE)};
    const ports = [];
    for (let made = 0; made < ${count}; made += 1) ports.push(await freePort());
    console.log(JSON.stringify(ports));
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script]);
  const ports: unknown = JSON.parse(stdout);
  if (!Array.isArray(ports)) throw new Error(`no list of ports: ${stdout}`);
  return ports.map(Number);
}

it("[engines] processes side by side are never given the same port", async () => {
  const own = async (): Promise<number[]> => {
    const ports: number[] = [];
    for (let made = 0; made < 300; made += 1) ports.push(await freePort());
    return ports;
  };
  const [here, there] = await Promise.all([own(), portsElsewhere(300)]);
  expect(new Set(here).size).toBe(300);
  expect(there.filter((port) => here.includes(port))).toEqual([]);
});

it("[engines] a port is below those of outgoing connections, and a server can listen on it", async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.close();
});
